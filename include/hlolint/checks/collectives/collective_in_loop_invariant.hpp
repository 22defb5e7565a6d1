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
      .needs = need::scheduled,  // XLA may still hoist it in an unscheduled module
      .what =
          "All operands of a collective in a while body are the same in every iteration, or take few different "
          "values: slices of an array that does not change, fewer than there are iterations.",
      .why = "The same data are transferred again and again: once before the loop would do.",
      .advice =
          "Run the collective before the loop and carry its result, if memory allows; XLA leaves it inside "
          "when hoisting would make the carried state bigger (see while-loop-expensive-invariant-code-motion).",
      .example =
          "%w = f32[256,4096]{1,0} get-tuple-element(%body_parameter), index=2   // passed on unchanged\n"
          "%full = f32[1024,4096]{1,0} all-gather(%w), replica_groups={{0,1,2,3}}, dimensions={0}",
      .source = "XLA: while_loop_invariant_code_motion.cc"};

  byte_count min_bytes = 1_MiB;
  static constexpr auto options = std::tuple{option{"min-bytes", &collective_in_loop_invariant::min_bytes,
                                                    "smaller transfers are not reported (one iteration)"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/analysis/values/loop_repeats.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

namespace detail {

/// Whether an all-gather collects an array along a dimension with one element for each iteration of the loop.
inline bool gathers_iterations(hlo_instruction transfer, std::int64_t trips) {
  const bool starts = transfer.opcode() == hlo_opcode::all_gather_start;
  if (!transfer.shape() || (!starts && transfer.opcode() != hlo_opcode::all_gather)) return false;
  const shape* const result = starts ? transfer.shape()->at({1}) : transfer.shape();
  const auto along = get_integers(transfer, attribute_key::dimensions);
  if (!result || !result->is_array() || !along || along->size() != 1) return false;
  const auto at = static_cast<std::size_t>(along->front());
  return at < result->rank() && result->dimensions[at].size == trips;
}

}  // namespace detail

HLOLINT_INLINE void collective_in_loop_invariant::operator()(const context& dump, sink_ref emit) const {
  for (const auto& [loop, body] : detail::loop_parts(dump, 2)) {
    const auto list = body.instructions();
    if (std::none_of(list.begin(), list.end(), [](hlo_instruction i) { return bool(collective_of(i)); })) continue;
    body_repeats repeats(loop, body, dump.get<carried_elements>());
    const std::int64_t trips = repeats.trips();
    for (const hlo_instruction i : list) {
      const hlo_instruction transfer = collective_of(i);
      if (!transfer || i.operand_count() == 0) continue;
      const auto bytes = collective_bytes(i);
      if (!bytes || *bytes < min_bytes || moves_nothing(transfer, dump.get<module_groups>())) continue;
      const bool same = repeats.is_same(i);
      const std::int64_t slices = repeats.values_read(i);
      if (slices > trips / 2) continue;
      const double repeated = static_cast<double>(trips - slices), all = static_cast<double>(trips);
      finding d =
          finding_at(i,
                     str_cat({detail::transfer_text(collective_kind(transfer.opcode()), bytes),
                              repetition_text(dump.get<loops>(), body),
                              same ? " transfers the same data in every iteration"
                                   : str_cat({", but of at most ", slices, " different slices: at least ",
                                              trips - slices, " of ", trips, " iterations repeat an earlier transfer"}),
                              " (", detail::position_text(i), ")"}),
                     {.bytes = bytes, .saves = {{i, repeated / all}}, .related = {related_at(loop, "the loop")}});
      if (!same) {
        d.bytes = static_cast<byte_count>(static_cast<double>(*bytes) * repeated / all);  // of an average iteration
        d.advice =
            "The slices come from an array that the loop does not change. Collect the array once before the loop "
            "and take the slices there, if memory allows to keep the whole, or carry the collected slice and "
            "collect another only when its index changes.";
      } else if (detail::gathers_iterations(transfer, trips)) {
        d.advice = str_cat({"The array is sharded along the dimension that it is collected along, which has ", trips,
                            " elements like the loop iterations: if each iteration uses one of them, shard another "
                            "dimension, and each transfers only that one."});
      }
      emit(std::move(d));
    }
  }
}

}  // namespace hlolint
#endif
