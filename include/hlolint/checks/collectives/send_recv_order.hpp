// COL007: sends and receives in an order in which devices wait for each other.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The verifier's automaton (scheduling.md 2), extended by collectives that only start while a send or recv is open. As
/// in the verifier, transfers to the host and pipelined ones, whose other half may lie in another iteration, are left
/// out; so are transfers without pairs. Only the first fault of a module is reported, since later ones may follow from
/// it.
struct send_recv_order {
  static constexpr rule about{
      .id = "COL007",
      .name = "send-recv-order",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::scheduled,
      .what =
          "A scheduled send is not followed by its recv, or a recv by its send, before other communication "
          "begins, or the pairs of a send or recv form a circle. An asynchronous collective that starts in "
          "between is a warning.",
      .why =
          "The devices in the pairs wait for each other while others already wait in the next collective: the "
          "program hangs. XLA's verifier rejects it for GPU.",
      .advice =
          "Schedule send and recv of one exchange next to each other, with control dependencies to the "
          "collectives before and after, and split pairs that form a ring into two exchanges.",
      .example =
          "%s = (f32[], u32[], token[]) send(%x, %t), channel_id=1, "
          "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}\n"
          "%sd = token[] send-done(%s), channel_id=1\n"
          "%ag = f32[20]{0} all-gather(%p), dimensions={0}\n"
          "%r = (f32[], u32[], token[]) recv(%t), channel_id=1, "
          "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}",
      .source = "XLA: hlo_verifier.cc, VerifyNoCollectiveDeadlocks; openxla/xla #36700"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/hash.hpp>
#include <hlolint/text/str_cat.hpp>

#include <iterator>
#include <list>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

namespace col007 {

/// Conditionals are left out, since it is not known which branch runs.
inline constexpr bool runs_inside(hlo_opcode opcode) {
  return opcode == hlo_opcode::call || opcode == hlo_opcode::while_ || opcode == hlo_opcode::async_start;
}

/// Which computations hold a send, a recv or a collective, themselves or in the computations that they run.
inline std::vector<bool> communicating_computations(const hlo_module& module) {
  std::vector<bool> out(module.computation_count());
  for (const hlo_computation c : callees_first(module))
    for (const hlo_instruction i : c.instructions()) {
      if (i.opcode() == hlo_opcode::send || i.opcode() == hlo_opcode::recv || is_collective(i.opcode()))
        out[c.id()] = true;
      if (runs_inside(i.opcode()))
        for (const hlo_computation called : i.called_computations())
          if (called && out[called.id()]) out[c.id()] = true;
    }
  return out;
}

struct expected {
  hlo_instruction transfer;
  std::vector<device_pair> pairs;
  std::uint64_t key = 0;
};

class automaton {
 public:
  /// Equal for equal expectations.
  std::uint64_t fingerprint() const { return fingerprint_; }
  /// Whether the limit of pairs is reached, so that no more are followed.
  bool is_exhausted() const { return followed_ > most_followed; }

  std::optional<finding> step(hlo_instruction i, const context& dump) {
    if (i.opcode() == hlo_opcode::send || i.opcode() == hlo_opcode::recv) {
      const auto pairs = send_recv_pairs(i);
      if (!pairs || is_pipelined_send_recv(i) || get_boolean(i, attribute_key::is_host_transfer)) return std::nullopt;
      return exchange(i, pairs->pairs, dump);
    }
    if (open_.empty()) return std::nullopt;
    // A wrapped collective is reached inside its computation. A start does not wait yet, it only takes its place in
    // line.
    if (!is_collective(i.opcode())) return std::nullopt;
    const bool async =
        is_collective_start(i.opcode()) || dump.get<call_graph>().execution_of(i.computation()) == execution::async;
    return fault(
        i, str_cat({name_of(i.opcode()), async ? " starts" : " stands", " where ", expectation(), " is expected"}),
        dump, async ? severity::warning : severity::error);
  }

  std::optional<finding> finish(const context& dump) {
    if (open_.empty()) return std::nullopt;
    const hlo_instruction lone = open_.front().transfer;
    return fault(lone, str_cat({"the schedule ends without the ", expectation(), " for this ", name_of(lone.opcode())}),
                 dump);
  }

  std::string expectation() const {
    const bool is_sent = open_.front().transfer.opcode() == hlo_opcode::send;
    return str_cat({is_sent ? "recv" : "send", " over ", pairs_text(open_.front().pairs)});
  }

  std::optional<finding> exchange(hlo_instruction i, const std::vector<device_pair>& pairs, const context& dump) {
    const auto own = [&] { return "this " + std::string(name_of(i.opcode())) + " over " + pairs_text(pairs); };
    if (has_cycle(pairs)) return fault(i, own() + " leads in a circle", dump);
    if (const auto twice = find_repeated_device(pairs))
      return fault(i, str_cat({own(), " names device ", twice->device, " twice"}), dump);
    if (open_.empty() || open_.front().transfer.opcode() == i.opcode()) {
      if (!fits(pairs))
        return fault(
            i,
            str_cat({own(), " stands where ", expectation(), " is expected, and the pairs of both do not go together"}),
            dump);
      expect(i, pairs);
      return std::nullopt;
    }
    const auto [first, last] = by_key_.equal_range(key_of(pairs));
    const auto match = std::find_if(first, last, [&](const auto& e) { return e.second->pairs == pairs; });
    if (match == last) return fault(i, str_cat({own(), " stands where ", expectation(), " is expected"}), dump);
    for (const auto& [source, target] : pairs) target_of_.erase(source), targets_.erase(target);
    fingerprint_ -= state_key(*match->second);
    open_.erase(match->second);
    by_key_.erase(match);
    return std::nullopt;
  }

  /// Whether, with these pairs added, every device still has at most one source and one target, and the pairs form no
  /// circle.
  bool fits(const std::vector<device_pair>& pairs) {
    for (const auto& [source, target] : pairs)
      if (target_of_.count(source) > 0 || targets_.count(target) > 0) return false;
    for (const auto& [source, target] : pairs) target_of_.emplace(source, target);
    bool circle = false;
    for (const auto& [source, target] : pairs) {
      auto next = target_of_.find(target);
      for (; !circle && next != target_of_.end() && ++followed_ <= most_followed; next = target_of_.find(next->second))
        circle = next->second == source;
    }
    for (const auto& [source, target] : pairs) target_of_.erase(source);
    return !circle;
  }
  void expect(hlo_instruction transfer, const std::vector<device_pair>& pairs) {
    for (const auto& [source, target] : pairs) target_of_.emplace(source, target), targets_.insert(target);
    open_.push_back({transfer, pairs, key_of(pairs)});
    by_key_.emplace(open_.back().key, std::prev(open_.end()));
    fingerprint_ += state_key(open_.back());
  }

  static std::uint64_t key_of(const std::vector<device_pair>& pairs) {
    number_hash key;
    for (const auto& [source, target] : pairs) key.add(source), key.add(target);
    return key.value();
  }
  static std::uint64_t state_key(const expected& e) {
    number_hash key;
    key.add(e.key), key.add(e.transfer.opcode());
    return key.value();
  }

  /// XLA checks this only for GPU, so elsewhere the level is warning.
  std::optional<finding> fault(hlo_instruction at, const std::string& words, const context& dump,
                               severity level = severity::error) const {
    finding d = finding_at(at, words + ": devices wait for each other (" + detail::position_text(at) + ")");
    d.level = dump.target() == target::gpu ? level : severity::warning;
    std::size_t named = 0;
    for (const expected& e : open_) {
      if (named++ == max_named) break;
      if (!(e.transfer == at))
        d.related.push_back(related_at(e.transfer, e.transfer.opcode() == hlo_opcode::send
                                                       ? "sent here, not received"
                                                       : "expected here, not sent"));
    }
    return d;
  }
  static constexpr std::size_t max_named = 4, most_followed = 20'000'000;

  std::list<expected> open_;  // sends without their recv, or recvs without their send; never both
  std::unordered_multimap<std::uint64_t, std::list<expected>::iterator> by_key_;
  std::unordered_map<std::int64_t, std::int64_t> target_of_;  // by source, of all pairs that are open
  std::unordered_set<std::int64_t> targets_;
  std::uint64_t fingerprint_ = 0;
  std::size_t followed_ = 0;
};

}  // namespace col007

HLOLINT_INLINE void send_recv_order::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu || dump.target() == target::tpu || !dump.hlo()->entry()) return;
  // Without a send or a recv nothing can be out of order.
  const auto& by_opcode = dump.get<instructions_by_opcode>();
  if (by_opcode.of(hlo_opcode::send).size() + by_opcode.of(hlo_opcode::recv).size() == 0) return;
  const std::vector<bool> communicates = col007::communicating_computations(*dump.hlo());
  col007::automaton state;
  // A computation that leaves the automaton as it found it will do so again, so in that state it need not run again.
  // Any other computation leads to a fault or to such a state when it repeats. So a chain of calls that doubles at each
  // level stays short.
  std::set<std::pair<id, std::uint64_t>> settled;
  std::vector<std::uint64_t> before;  // the states in which the computations that are being run began
  std::size_t affordable = 1'000'000 + 16 * dump.hlo()->instruction_count();
  bool is_over = false;
  detail::walk_called_first(
      dump.hlo()->entry(), {},
      [](hlo_instruction i, std::size_t call) {
        return col007::runs_inside(i.opcode()) ? detail::nth_called(i, call) : std::nullopt;
      },
      [&](hlo_computation c, hlo_instruction) {
        const std::uint64_t now = state.fingerprint();
        if (is_over || !communicates[c.id()] || settled.count({c.id(), now}) > 0) return false;
        before.push_back(now);
        return true;
      },
      [&](hlo_instruction i) {
        is_over = is_over || affordable-- == 0 || state.is_exhausted();
        if (is_over) return;
        auto fault = state.step(i, dump);
        is_over = fault.has_value();
        if (fault) emit(std::move(*fault));
      },
      [&](hlo_computation c) {
        if (state.fingerprint() == before.back()) settled.emplace(c.id(), before.back());
        before.pop_back();
      });
  if (is_over) return;
  if (auto fault = state.finish(dump)) emit(std::move(*fault));
}

}  // namespace hlolint
#endif
