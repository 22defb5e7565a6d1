// COL013: a collective that transfers the same data in every iteration of a loop.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Operands that are the same in every iteration (`loop_invariants`), or that take few different slices.
struct collective_in_loop_invariant {
  static constexpr rule about{
      .id = "COL013",
      .name = "collective-in-loop-invariant",
      .costs = cost_kind::time,
      .what = "All operands of a collective in a while body are the same in every iteration, or take few different "
              "values: slices of an array that does not change, fewer than there are iterations.",
      .why = "The same data are transferred again and again: once before the loop would do.",
      .advice = "Run the collective before the loop and carry its result, if memory allows; XLA leaves it inside "
                "when hoisting would make the carried state bigger (see while-loop-expensive-invariant-code-motion).",
      .example = "%w = f32[256,4096]{1,0} get-tuple-element(%body_parameter), index=2   // passed on unchanged\n"
                 "%full = f32[1024,4096]{1,0} all-gather(%w), replica_groups={{0,1,2,3}}, dimensions={0}",
      .source = "XLA: while_loop_invariant_code_motion.cc"};
  static constexpr need needs = need::scheduled;  // XLA may still hoist it in an unscheduled module

  byte_count min_bytes = 1_MiB;
  static constexpr auto options = std::tuple{option{"min-bytes", &collective_in_loop_invariant::min_bytes,
                                                    "smaller transfers are not reported (one iteration)"}};

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_lists.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/analysis/values/loop_repeats.hpp>
#include <hlolint/checks/check_code.hpp>
#include <hlolint/lint/finding_costs.hpp>

namespace hlolint {

struct collective_in_loop_invariant::code {
  static bool has_collective(hlo_computation body) {
    const auto list = body.instructions();
    return std::any_of(list.begin(), list.end(), [](hlo_instruction i) { return bool(collective_of(i)); });
  }
};

HLOLINT_INLINE void collective_in_loop_invariant::operator()(const context& dump, sink_ref report) const {
  const auto& graph = dump.get<call_graph>();
  const auto& all_loops = dump.get<loops>();
  record_list<bool> seen(dump.hlo()->computation_count());  // several loops may share a body
  for (const hlo_instruction loop : dump.get<instructions_by_opcode>().of(hlo_opcode::while_)) {
    if (!trip_count_of(loop).may_reach(2)) continue;
    for (const hlo_computation body : loop.called_computations()) {
      if (!body || seen[body.id()] || !graph.is_sequential(body)) continue;
      seen[body.id()] = true;
      if (!code::has_collective(body)) continue;
      body_repeats repeats(loop, body, dump.get<carried_elements>());
      const std::int64_t trips = repeats.trips();
      for (const hlo_instruction i : body.instructions()) {
        const hlo_instruction transfer = collective_of(i);
        if (!transfer || i.operand_count() == 0) continue;
        const auto bytes = collective_bytes(i);
        if (!bytes || *bytes < min_bytes || moves_nothing(transfer, dump.get<module_groups>()))
          continue;
        const bool same = repeats.is_same(i);
        const std::int64_t slices = repeats.values_read(i);
        if (slices > trips / 2) continue;
        finding d = finding_at(
            i, detail::transfer_text(collective_kind(transfer.opcode()), bytes) + repetition_text(all_loops, body) +
                   (same ? std::string(" transfers the same data in every iteration")
                         : ", but of at most " + std::to_string(slices) + " different slices: at least " +
                               std::to_string(trips - slices) + " of " + std::to_string(trips) +
                               " iterations repeat an earlier transfer") +
                   " (" + detail::position_text(i) + ")");
        d.bytes = bytes;
        d.saves = {{i, static_cast<double>(trips - slices) / static_cast<double>(trips)}};
        if (!same) {
          d.bytes = static_cast<byte_count>(static_cast<double>(*bytes) * static_cast<double>(trips - slices) /
                                            static_cast<double>(trips));  // of one iteration, on average
          d.advice =
              "The slices come from an array that the loop does not change. Collect the array once before the loop "
              "and take the slices there, if memory allows to keep the whole, or carry the collected slice and "
              "collect another only when its index changes.";
        }
        d.related.push_back(related_at(loop, "the loop"));
        report(std::move(d));
      }
    }
  }
}

}  // namespace hlolint
#endif
