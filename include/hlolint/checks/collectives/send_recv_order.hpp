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
      .what = "A scheduled send is not followed by its recv, or a recv by its send, before other communication "
              "begins, or the pairs of a send or recv form a circle. An asynchronous collective that starts in "
              "between is a warning.",
      .why = "The devices in the pairs wait for each other while others already wait in the next collective: the "
             "program hangs. XLA's verifier rejects it for GPU.",
      .advice = "Schedule send and recv of one exchange next to each other, with control dependencies to the "
                "collectives before and after, and split pairs that form a ring into two exchanges.",
      .example = "%s = (f32[], u32[], token[]) send(%x, %t), channel_id=1, "
                 "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}\n"
                 "%sd = token[] send-done(%s), channel_id=1\n"
                 "%ag = f32[20]{0} all-gather(%p), dimensions={0}\n"
                 "%r = (f32[], u32[], token[]) recv(%t), channel_id=1, "
                 "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}",
      .source = "XLA: hlo_verifier.cc, VerifyNoCollectiveDeadlocks; openxla/xla #36700"};
  static constexpr need needs = need::scheduled;

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/checks/program_code.hpp>

#include <iterator>
#include <list>
#include <unordered_map>
#include <unordered_set>

namespace hlolint {

struct send_recv_order::code {
  /// Conditionals are left out, since it is not known which branch runs.
  static constexpr bool runs_inside(hlo_opcode opcode) {
    return opcode == hlo_opcode::call || opcode == hlo_opcode::while_ || opcode == hlo_opcode::async_start;
  }

  /// Which computations hold a send, a recv or a collective, themselves or in the computations that they run.
  static record_list<bool> communicating_computations(const hlo_module& module) {
    record_list<bool> out(module.computation_count());
    const record_list<hlo_computation> order = callers_first(module);
    for (auto c = order.rbegin(); c != order.rend(); ++c)
      for (const hlo_instruction i : c->instructions()) {
        if (i.opcode() == hlo_opcode::send || i.opcode() == hlo_opcode::recv || is_collective(i.opcode()))
          out[c->id()] = true;
        if (runs_inside(i.opcode()))
          for (const hlo_computation called : i.called_computations())
            if (called && out[called.id()]) out[c->id()] = true;
      }
    return out;
  }

  struct expected {
    hlo_instruction transfer;
    record_list<device_pair> pairs;
    std::uint64_t key = 0;
  };

  class automaton {
   public:
    /// Equal for equal expectations.
    std::uint64_t fingerprint() const { return fingerprint_; }
    /// Whether the limit of pairs is reached, so that no more are followed.
    bool is_exhausted() const { return followed_ > most_followed; }

    optional<finding> step(hlo_instruction i, const context& dump) {
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

    optional<finding> finish(const context& dump) {
      if (open_.empty()) return std::nullopt;
      const hlo_instruction lone = open_.front().transfer;
      return fault(
          lone, str_cat({"the schedule ends without the ", expectation(), " for this ", name_of(lone.opcode())}), dump);
    }

    std::string expectation() const {
      const bool is_sent = open_.front().transfer.opcode() == hlo_opcode::send;
      return str_cat({is_sent ? "recv" : "send", " over ", pairs_text(open_.front().pairs)});
    }

    optional<finding> exchange(hlo_instruction i, const record_list<device_pair>& pairs, const context& dump) {
      const auto own = [&] { return "this " + std::string(name_of(i.opcode())) + " over " + pairs_text(pairs); };
      if (has_cycle(pairs)) return fault(i, own() + " leads in a circle", dump);
      if (const auto twice = find_repeated_device(pairs))
        return fault(i, str_cat({own(), " names device ", twice->device, " twice"}), dump);
      if (open_.empty() || open_.front().transfer.opcode() == i.opcode()) {
        if (!fits(pairs))
          return fault(i, str_cat({own(), " stands where ", expectation(),
                                   " is expected, and the pairs of both do not go together"}), dump);
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
    bool fits(const record_list<device_pair>& pairs) {
      for (const auto& [source, target] : pairs)
        if (target_of_.count(source) > 0 || targets_.count(target) > 0) return false;
      for (const auto& [source, target] : pairs) target_of_.emplace(source, target);
      bool circle = false;
      for (const auto& [source, target] : pairs) {
        auto next = target_of_.find(target);
        for (; !circle && next != target_of_.end() && ++followed_ <= most_followed;
             next = target_of_.find(next->second))
          circle = next->second == source;
      }
      for (const auto& [source, target] : pairs) target_of_.erase(source);
      return !circle;
    }
    void expect(hlo_instruction transfer, const record_list<device_pair>& pairs) {
      for (const auto& [source, target] : pairs) target_of_.emplace(source, target), targets_.insert(target);
      open_.push_back({transfer, pairs, key_of(pairs)});
      by_key_.emplace(open_.back().key, std::prev(open_.end()));
      fingerprint_ += state_key(open_.back());
    }

    static std::uint64_t key_of(const record_list<device_pair>& pairs) {
      std::uint64_t key = 0xCBF29CE484222325u;
      for (const auto& [source, target] : pairs)
        for (const std::int64_t device : {source, target})
          key = ((key ^ static_cast<std::uint64_t>(device)) * 0x9E3779B97F4A7C15u) ^ (key >> 29);
      return key;
    }
    static std::uint64_t state_key(const expected& e) {
      return (e.key ^ static_cast<std::uint64_t>(e.transfer.opcode())) * 0xC2B2AE3D27D4EB4Fu;
    }

    /// XLA checks this only for GPU, so elsewhere the level is warning.
    optional<finding> fault(hlo_instruction at, const std::string& words, const context& dump,
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
};

HLOLINT_INLINE void send_recv_order::operator()(const context& dump, sink_ref report) const {
  if (dump.target() == target::cpu || dump.target() == target::tpu || !dump.hlo()->entry()) return;
  // Without a send or a recv nothing can be out of order.
  const auto& by_opcode = dump.get<instructions_by_opcode>();
  if (by_opcode.of(hlo_opcode::send).size() + by_opcode.of(hlo_opcode::recv).size() == 0) return;
  const record_list<bool> communicates = code::communicating_computations(*dump.hlo());
  code::automaton state;
  // A computation that is being run: its next instruction, and the state at its beginning.
  struct frame {
    hlo_computation computation;
    std::size_t next = 0;
    std::uint64_t before = 0;
  };
  // A computation that leaves the automaton as it found it will do so again, so in that state it need not run again.
  // Any other computation leads to a fault or to such a state when it repeats. So a chain of calls that doubles at each
  // level stays short.
  ordered_set<std::pair<id, std::uint64_t>> settled;
  record_list<frame> running{{dump.hlo()->entry()}};
  std::size_t affordable = 1'000'000 + 16 * dump.hlo()->instruction_count();
  while (!running.empty()) {
    frame& f = running.back();
    if (f.next == 0) {
      f.before = state.fingerprint();
      if (!communicates[f.computation.id()] || settled.count({f.computation.id(), f.before}) > 0) {
        running.pop_back();
        continue;
      }
    }
    if (f.next == f.computation.instruction_count()) {
      if (state.fingerprint() == f.before) settled.emplace(f.computation.id(), f.before);
      running.pop_back();
      continue;
    }
    if (affordable-- == 0 || state.is_exhausted()) return;
    const hlo_instruction i = f.computation.instruction(f.next++);
    if (auto fault = state.step(i, dump)) return report(std::move(*fault));
    if (!code::runs_inside(i.opcode()) || running.size() > dump.hlo()->computation_count()) continue;
    for (std::size_t k = i.called_computation_count(); k-- > 0;)
      if (const hlo_computation called = i.called_computation(k)) running.push_back({called});
  }
  if (auto fault = state.finish(dump)) report(std::move(*fault));
}

}  // namespace hlolint
#endif
