// Callers and execution of computations: which run as steps of the schedule, and which are part of an instruction.
#pragma once

#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace hlolint {

/// How a computation is executed (buffer_dumps.md 5.0, call contexts). If two apply, the later one counts.
enum class execution : std::uint8_t {
  unreached,   ///< it is not called
  sequential,  ///< instruction after instruction: entry, while bodies and conditions, branches, call targets
  async,       ///< as sequential, but inside an async start, beside the caller's schedule
  embedded     ///< part of one instruction: fusions, reducers, comparators
};

/// Whether an instruction runs its called computations step by step, rather than as part of its own code.
constexpr bool calls_sequentially(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == call || opcode == while_ || opcode == conditional;
}

/// The three opcodes of asynchronous computations: start, update and done.
constexpr bool is_async_opcode(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == async_start || opcode == async_update || opcode == async_done;
}

namespace detail {
/// Computation `call` that an instruction names, or that it runs step by step, counted from 0: of a while first the
/// condition, then the body. An empty view if the text lacks it, nothing if there are no more. @{
inline std::optional<hlo_computation> nth_called(hlo_instruction i, std::size_t call) {
  return call < i.called_computation_count() ? std::optional(i.called_computation(call)) : std::nullopt;
}
inline std::optional<hlo_computation> nth_run(hlo_instruction i, std::size_t call) {
  if (i.opcode() != hlo_opcode::while_) return calls_sequentially(i.opcode()) ? nth_called(i, call) : std::nullopt;
  if (call >= 2) return std::nullopt;
  const while_parts parts = parts_of_while(i);
  return call == 0 ? parts.condition : parts.body;
}
/// @}

/// Calls `visit(i)` for the instructions of a computation and of those that they call, which come before the caller:
/// `next_call(i, call)` gives them, and `enter(c, caller)` tells whether to go there. `leave(c)` ends a computation.
/// `order` holds the instructions of each computation in its order; empty: in text order.
void walk_called_first(hlo_computation from, std::span<const id> order, auto&& next_call, auto&& enter, auto&& visit,
                       auto&& leave) {
  struct frame {
    hlo_computation computation;
    std::size_t at = 0, call = 0;  // the next instruction, and its next called computation
  };
  std::vector<frame> open;
  const auto go_to = [&](hlo_computation c, hlo_instruction caller) {
    if (c && enter(c, caller)) open.push_back({c});
  };
  go_to(from, {});
  while (!open.empty()) {
    frame& f = open.back();
    if (f.at == f.computation.instruction_count()) {
      const hlo_computation left = f.computation;
      open.pop_back();
      leave(left);
      continue;
    }
    const hlo_instruction in_text = f.computation.instruction(f.at);
    const hlo_instruction i = order.empty() ? in_text : hlo_instruction{&in_text.data(), order[in_text.id()]};
    if (const std::optional<hlo_computation> called = next_call(i, f.call++)) {
      go_to(*called, i);
      continue;
    }
    visit(i);
    ++f.at, f.call = 0;
  }
}
}  // namespace detail

/// Callers and execution of every computation of a module.
class call_graph {
 public:
  /// Linear in the module.
  explicit call_graph(const hlo_module& module) : module_(module), execution_(module.computation_count()) {
    const calling_instructions calling(module);
    callers_ = {module.computation_count(), [&](auto&& add) {
                  for (const id caller : calling.all())
                    for (const hlo_computation called : module.instruction(caller).called_computations())
                      if (called) add(called.id(), caller);
                }};
    if (const hlo_computation entry = module.entry())
      spread(entry, execution::sequential, calling);
    else
      spread_without_entry(calling);
  }

  /// How the computation is executed. Precondition: it is of this module.
  execution execution_of(hlo_computation c) const { return execution_[c.id()]; }
  /// Whether it runs step by step, so that its instructions have places in the schedule.
  bool is_sequential(hlo_computation c) const { return execution_of(c) == execution::sequential; }

  /// The instructions that call a computation, in text order; one that calls it twice appears twice.
  auto callers(hlo_computation c) const {
    const std::span<const id> listed = callers_.of(c.id());
    return view_range{listed.size(), detail::views_listed<hlo_instruction>{&module_.data(), listed.data()}};
  }

  /// The only instruction that calls a computation, as a fusion calls its own; empty if there is none, or several.
  hlo_instruction only_caller(hlo_computation c) const {
    const auto listed = callers(c);
    return listed.size() == 1 ? listed.front() : hlo_instruction{};
  }

  /// By number, the computations that run as part of a loop, a call or a conditional, nested ones included. Empty for
  /// other instructions, and if one of the computations also runs elsewhere. Linear in the computations and their
  /// callers.
  std::vector<bool> computations_run_by(hlo_instruction i) const {
    if (!calls_sequentially(i.opcode())) return {};
    std::vector<bool> inside(module_.computation_count());
    std::vector<hlo_instruction> open{i};
    while (!open.empty()) {
      const hlo_instruction caller = open.back();
      open.pop_back();
      for (const hlo_computation c : caller.called_computations()) {
        if (!c || inside[c.id()]) continue;
        inside[c.id()] = true;
        for (const hlo_instruction inner : c.instructions())
          if (calls_sequentially(inner.opcode())) open.push_back(inner);
      }
    }
    for (const hlo_computation c : module_.computations())
      if (inside[c.id()])
        for (const hlo_instruction caller : callers(c))
          if (caller != i && !inside[caller.computation().id()]) return {};
    return inside;
  }

 private:
  // For a text cut off before ENTRY. Parts of instructions are known. Loop bodies and branches run step by step, and so
  // do computations that hold collectives beside instructions that no fusion contains. Any other computation may be
  // part of a missing instruction, as those with XLA's names for bodies of fusions are.
  void spread_without_entry(const calling_instructions& calling) {
    for (const hlo_instruction i : module_.instructions())
      if (!calls_sequentially(i.opcode()) && !is_async_opcode(i.opcode()))
        for (const hlo_computation called : i.called_computations())
          if (called) spread(called, execution::embedded, calling);
    for (const hlo_computation c : module_.computations())
      if (callers_.count(c.id()) == 0 && runs_step_by_step(c)) spread(c, execution::sequential, calling);
    for (const hlo_instruction i : module_.instructions())
      if ((i.opcode() == hlo_opcode::while_ || i.opcode() == hlo_opcode::conditional) &&
          execution_[i.computation().id()] == execution::unreached)
        for (const hlo_computation called : i.called_computations())
          if (called) spread(called, execution::sequential, calling);
  }

  static bool runs_step_by_step(hlo_computation c) {
    using enum hlo_opcode;
    for (const std::string_view of_fusion : {"fused_computation", "collective_fusion"})
      if (c.name().find(of_fusion) != std::string_view::npos) return false;
    bool transfers = false, steps = false;
    for (const hlo_instruction i : c.instructions()) {
      const hlo_opcode op = i.opcode();
      const bool starts = is_collective_start(op) || op == async_start || op == copy_start || op == send || op == recv;
      transfers |= starts || is_collective(op);
      steps |= starts || calls_sequentially(op) || op == fusion || op == custom_call;
    }
    return transfers && steps;
  }

  // An execution only rises, so every computation is visited at most three times.
  void spread(hlo_computation from, execution as, const calling_instructions& calling) {
    if (execution_[from.id()] >= as) return;
    std::vector<id> open{from.id()};
    execution_[from.id()] = as;
    while (!open.empty()) {
      const hlo_computation caller = module_.computation(open.back());
      open.pop_back();
      const execution own = execution_[caller.id()];
      for (const id at : calling.in(caller)) {
        const hlo_instruction i = module_.instruction(at);
        execution passed = execution::embedded;
        if (calls_sequentially(i.opcode())) passed = own;
        if (is_async_opcode(i.opcode())) passed = own == execution::embedded ? own : execution::async;
        for (const hlo_computation called : i.called_computations()) {
          if (!called || execution_[called.id()] >= passed) continue;
          execution_[called.id()] = passed;
          open.push_back(called.id());
        }
      }
    }
  }

  hlo_module module_;
  std::vector<execution> execution_;
  grouped_list<id> callers_;  // by computation
};

}  // namespace hlolint
