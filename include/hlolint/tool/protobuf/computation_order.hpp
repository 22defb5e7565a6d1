// The order in which XLA prints computations (protobuf_dumps.md 5.2).
#pragma once

#include <hlolint/tool/protobuf/program.hpp>
#include <hlolint/tool/protobuf/reading.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::protobuf {

namespace detail {

/// The computations that a computation calls. The calling instructions are sorted by their ids, as in XLA.
class calls_of {
 public:
  calls_of(const program& p, std::size_t computation) : p_(&p), computation_(computation) {}
  std::size_t computation() const { return computation_; }

  /// The next called computation; nothing after the last one. Skips ids that no computation has.
  std::optional<std::size_t> next() {
    for (; caller_ < head().callers.size(); ++caller_, call_ = 0) {
      const instruction_head& i = current();
      while (call_ < i.called_count)
        if (const auto found = p_->computation_ids.find(p_->called[i.first_called + call_++])) return found;
    }
    return std::nullopt;
  }
  /// Calls `use(computation)` for the computations that the next instruction calls, last one first. False if no
  /// instruction is left.
  template <class Use>
  bool next_instruction(Use&& use) {
    if (caller_ == head().callers.size()) return false;
    const instruction_head& i = current();
    for (std::uint32_t k = i.called_count; k-- > 0;)
      if (const auto found = p_->computation_ids.find(p_->called[i.first_called + k])) use(*found);
    ++caller_;
    return true;
  }

 private:
  const computation_head& head() const { return p_->computations[computation_]; }
  const instruction_head& current() const { return p_->instructions[head().first + head().callers[caller_]]; }

  const program* p_;
  std::size_t computation_, caller_ = 0;
  std::uint32_t call_ = 0;
};

/// Reports each computation that calls itself, directly or through others. Does not recurse.
inline void report_recursion(const program& p, reading& in) {
  enum class state : std::uint8_t { unseen, open, done };
  std::vector<state> states(p.computations.size(), state::unseen);
  std::vector<calls_of> stack;
  for (std::size_t first = 0; first < p.computations.size(); ++first) {
    if (states[first] != state::unseen) continue;
    stack.emplace_back(p, first);
    states[first] = state::open;
    while (!stack.empty()) {
      const auto called = stack.back().next();
      if (!called) {
        states[stack.back().computation()] = state::done;
        stack.pop_back();
      } else if (states[*called] == state::open) {
        in.in("computations", static_cast<std::int64_t>(*called), [&] {
          in.report("the computation '" + std::string(p.computations[*called].name) +
                    "' calls itself, directly or through others");
        });
      } else if (states[*called] == state::unseen) {
        stack.emplace_back(p, *called);
        states[*called] = state::open;
      }
    }
  }
}

}  // namespace detail

/// Positions of all computations, callees before their callers, in the order of XLA's MakeComputationPostOrder.
inline std::vector<std::size_t> computation_order(const program& p, reading& in) {
  detail::report_recursion(p, in);
  const std::size_t count = p.computations.size();
  std::vector<char> is_called(count), added(count), visited(count);
  for (const std::uint64_t id : p.called)
    if (const auto at = p.computation_ids.find(id)) is_called[*at] = 1;

  std::vector<std::size_t> out, by_id(count);
  for (std::size_t i = 0; i < count; ++i) by_id[i] = i;
  std::stable_sort(by_id.begin(), by_id.end(),
                   [&](std::size_t a, std::size_t b) { return p.computations[a].id < p.computations[b].id; });
  const auto add = [&](std::size_t at) {
    if (!std::exchange(added[at], 1)) out.push_back(at);
  };
  std::vector<detail::calls_of> stack;
  std::vector<std::size_t> found;
  for (const std::size_t root : by_id) {
    if (is_called[root]) continue;
    stack.emplace_back(p, root);
    while (!stack.empty()) {
      found.clear();
      const bool more = stack.back().next_instruction([&](std::size_t called) {
        if (!std::exchange(visited[called], 1)) found.push_back(called);
      });
      if (!more) {
        add(stack.back().computation());
        stack.pop_back();
      }
      for (const std::size_t called : found) stack.emplace_back(p, called);
    }
  }
  for (const std::size_t i : by_id) add(i);  // computations that call each other in a circle
  return out;
}

}  // namespace hlolint::protobuf
