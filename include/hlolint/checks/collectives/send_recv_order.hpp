// COL007: sends and receives in an order in which devices wait for each other.
#pragma once

#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/device_pairs.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

/// The verifier's automaton (scheduling.md 2), and beyond it collectives that only start while something is expected.
/// Transfers to the host and pipelined ones, whose other half may lie in another iteration, are left out as there; so
/// are transfers without pairs. The first fault of a module is reported: what follows it means nothing.
struct send_recv_order {
  static constexpr rule about{
      .id = "COL007",
      .name = "send-recv-order",
      .level = severity::error,
      .since = "0.1",
      .what =
          "A scheduled send is not followed by its recv, or the reverse, before other communication begins, or the "
          "pairs of a send or recv lead in a circle. An asynchronous collective that starts in between is a warning.",
      .why =
          "The devices in the pairs wait for each other, while others already wait in the next collective: the "
          "program hangs. XLA's verifier refuses it for GPU.",
      .advice =
          "Schedule send and recv of one exchange next to each other, with control dependencies to the collectives "
          "before and after, and split pairs that form a ring into two exchanges.",
      .example =
          "%s = (f32[], u32[], token[]) send(%x, %t), channel_id=1, "
          "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}\n"
          "%sd = token[] send-done(%s), channel_id=1\n"
          "%ag = f32[20]{0} all-gather(%p), dimensions={0}\n"
          "%r = (f32[], u32[], token[]) recv(%t), channel_id=1, "
          "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1}}}",
      .source = "XLA: hlo_verifier.cc, VerifyNoCollectiveDeadlocks; openxla/xla #36700"};
  static constexpr need needs = need::scheduled;

  void operator()(const context& dump, sink auto& report) const {
    if (dump.target() == target::cpu || dump.target() == target::tpu || !dump.hlo()->entry()) return;
    automaton state;
    // Where the walk is: the next instruction of each computation that is being run.
    std::vector<std::pair<hlo_computation, std::size_t>> running{{dump.hlo()->entry(), 0}};
    while (!running.empty()) {
      auto& [c, next] = running.back();
      if (next == c.instruction_count()) {
        running.pop_back();
        continue;
      }
      const hlo_instruction i = c.instruction(next++);
      if (auto fault = state.step(i, dump)) return report(std::move(*fault));
      if (!runs_inside(i.opcode()) || running.size() > dump.hlo()->computation_count()) continue;
      for (std::size_t k = i.called_computation_count(); k-- > 0;)
        if (const hlo_computation called = i.called_computation(k)) running.emplace_back(called, 0);
    }
    if (auto fault = state.finish(dump)) report(std::move(*fault));
  }

 private:
  /// Branches of a conditional are left out: which one runs is not known.
  static constexpr bool runs_inside(hlo_opcode opcode) {
    return opcode == hlo_opcode::call || opcode == hlo_opcode::while_ || opcode == hlo_opcode::async_start;
  }

  struct expected {
    hlo_instruction transfer;
    std::vector<device_pair> pairs;
  };

  struct automaton {
    std::vector<expected> open;  ///< sends without their recv, or recvs without their send; never both

    std::optional<diagnostic> step(hlo_instruction i, const context& dump) {
      if (i.opcode() == hlo_opcode::send || i.opcode() == hlo_opcode::recv) {
        const auto pairs = send_recv_pairs(i);
        if (!pairs || is_pipelined_send_recv(i) || get_boolean(i, attribute_key::is_host_transfer)) return std::nullopt;
        return exchange(i, pairs->pairs, dump);
      }
      if (open.empty()) return std::nullopt;
      // A wrapped collective is met inside its computation; a start of its own is no waiting yet, only the place in
      // line.
      if (!is_collective(i.opcode())) return std::nullopt;
      const bool async =
          is_collective_start(i.opcode()) || dump.get<call_graph>().execution_of(i.computation()) == execution::async;
      return fault(i,
                   std::string(name_of(i.opcode())) + (async ? " starts" : " stands") + " where " + expectation() +
                       " is expected",
                   dump, async ? severity::warning : severity::error);
    }

    std::optional<diagnostic> finish(const context& dump) {
      if (open.empty()) return std::nullopt;
      const hlo_instruction lone = open.front().transfer;
      return fault(
          lone, "the schedule ends without the " + expectation() + " for this " + std::string(name_of(lone.opcode())),
          dump, severity::error);
    }

   private:
    std::string expectation() const {
      return std::string(open.front().transfer.opcode() == hlo_opcode::send ? "recv" : "send") + " over " +
             pairs_text(open.front().pairs);
    }

    std::optional<diagnostic> exchange(hlo_instruction i, const std::vector<device_pair>& pairs, const context& dump) {
      const std::string own = "this " + std::string(name_of(i.opcode())) + " over " + pairs_text(pairs);
      if (has_cycle(pairs)) return fault(i, own + " leads in a circle", dump, severity::error);
      if (const auto twice = find_repeated_device(pairs))
        return fault(i, own + " names device " + std::to_string(twice->device) + " twice", dump, severity::error);
      if (open.empty() || open.front().transfer.opcode() == i.opcode()) {
        std::vector<device_pair> together = pairs;
        for (const expected& e : open) together.insert(together.end(), e.pairs.begin(), e.pairs.end());
        if (has_cycle(together) || find_repeated_device(together))
          return fault(
              i, own + " stands where " + expectation() + " is expected, and the pairs of both do not go together",
              dump, severity::error);
        open.push_back({i, pairs});
        return std::nullopt;
      }
      const auto match = std::find_if(open.begin(), open.end(), [&](const expected& e) { return e.pairs == pairs; });
      if (match == open.end())
        return fault(i, own + " stands where " + expectation() + " is expected", dump, severity::error);
      open.erase(match);
      return std::nullopt;
    }

    /// XLA checks this for GPU alone, so elsewhere it is only likely.
    std::optional<diagnostic> fault(hlo_instruction at, const std::string& words, const context& dump,
                                    severity level) const {
      diagnostic d = finding_at(at, words + ": devices wait for each other (" + detail::position_text(at) + ")");
      d.level = dump.target() == target::gpu ? level : severity::warning;
      for (std::size_t k = 0; k < open.size() && k < max_named; ++k)
        if (!(open[k].transfer == at))
          d.related.push_back(related_at(open[k].transfer, open[k].transfer.opcode() == hlo_opcode::send
                                                               ? "sent here, not received"
                                                               : "expected here, not sent"));
      return d;
    }
    static constexpr std::size_t max_named = 4;
  };
};

}  // namespace hlolint
