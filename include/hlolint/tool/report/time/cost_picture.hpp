// The time of a step as plain values for pictures: sums over groups of instructions, and the costliest instructions
// with their bounds.
#pragma once

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_estimate.hpp>
#include <hlolint/tool/advise/schedule_edit.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>
#include <hlolint/tool/costs/step_summary.hpp>
#include <hlolint/tool/report/time/time_curve.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// An instruction of a step.
struct work_row {
  /// Its name, and the groups that it belongs to. @{
  std::string instruction, category, source, function, weight, pass;
  /// @}
  std::string_view bound;  ///< what limits its speed
  /// Milliseconds of all its runs, of waiting in them, and microseconds of one run. @{
  double milliseconds = 0, exposed = 0, microseconds = 0;
  /// @}
  double runs = 0;  ///< in a step
  /// Of one run: operations of the matrix units, and bytes of memory. @{
  double flops = 0, bytes = 0;
  /// @}
};

/// A `step_group` that does not refer to its module.
struct work_group {
  /// Its name, and its costliest instruction. @{
  std::string name, instruction;
  /// @}
  /// As in `step_group`. @{
  double seconds = 0, exposed = 0, matrix_seconds = 0, memory_seconds = 0, runs = 0;
  /// @}
};

/// One way to sum the step.
struct work_sums {
  time_by by = time_by::nothing;   ///< what the groups have in common
  std::vector<work_group> groups;  ///< most time first
  std::size_t more = 0;            ///< further groups
  double more_seconds = 0;         ///< of those
};

/// A step.
struct work_picture {
  double utilization = 0;         ///< `step_summary::utilization`
  double bound = 0;               ///< milliseconds if nothing but the matrix units or the memory bound it
  std::size_t unknown_calls = 0;  ///< calls of unknown time
  bool at_least = false;          ///< the step is a lower bound: calls of unknown time, or loops counted once
  /// Rates of the device per second: of its matrix units in 16 bits, and of its memory. @{
  double peak_flops = 0, memory_rate = 0;
  /// @}
  double recomputed = 0;           ///< milliseconds of a step that compute values again
  std::vector<curve_point> curve;  ///< bytes against time, if more of that were kept, most bytes first; may be empty
  std::vector<work_sums> sums;     ///< by category, source, function, weight and pass
  std::vector<work_row> rows;      ///< the costliest instructions, most time first
  std::size_t more = 0;            ///< further instructions
};

/// Precondition: `time` is of the module, and its device is known. O(n log n).
inline work_picture work_picture_of(const context& module, const exposed_time& time) {
  constexpr std::size_t most_rows = 600, most_groups = 60;
  const instruction_costs costs(*module.hlo(), time);
  const step_summary step(*module.hlo(), time);
  const auto passes = std::make_shared<const program_passes>(*module.hlo());
  const auto grouping = [&](time_by by) { return step_grouping(by, passes, module.share<weights_read>()); };
  work_picture out;
  const recomputation again(*module.hlo(), time);
  out.recomputed = again.seconds() * 1e3;
  const context& with = with_memory(module);
  if (!again.keeps().empty() && with.has(need::buffers)) {
    advise::schedule_advice as_it_is;
    as_it_is.need = as_it_is.after = memory_need(*with.buffers(), with.target()).total;
    as_it_is.in_fast_memory = bytes_in_fast_memory(with.target(), with.buffers()->allocations());
    as_it_is.step = time.step();
    out.curve = time_curve_of(as_it_is, again, usable_memory(time.on()));
  }
  out.utilization = step.utilization, out.unknown_calls = step.unknown_calls;
  out.at_least = step.unknown_calls + step.loops_counted_once > 0;
  out.bound = costs.bound() * 1e3;
  out.peak_flops = time.on().f16_flops, out.memory_rate = time.on().memory_rate;
  for (const time_by by : {time_by::category, time_by::source, time_by::function, time_by::weight, time_by::pass}) {
    if (by == time_by::pass && !passes->has_gradients()) continue;
    work_sums& sums = out.sums.emplace_back();
    sums.by = by;
    for (const step_group& g : group_step(costs, grouping(by))) {
      if (sums.groups.size() == most_groups) {
        ++sums.more, sums.more_seconds += g.seconds;
        continue;
      }
      sums.groups.push_back({g.name, g.longest ? std::string(g.longest.name()) : std::string{}, g.seconds, g.exposed,
                             g.matrix_seconds, g.memory_seconds, g.runs});
    }
  }
  const step_grouping by_source = grouping(time_by::source), by_function = grouping(time_by::function);
  const step_grouping by_weight = grouping(time_by::weight), by_pass = grouping(time_by::pass);
  std::vector<const instruction_cost*> order;
  for (const instruction_cost& cost : costs.rows()) order.push_back(&cost);
  std::stable_sort(order.begin(), order.end(),
                   [](const instruction_cost* a, const instruction_cost* b) { return a->total() > b->total(); });
  for (const instruction_cost* const cost : order) {
    if (out.rows.size() == most_rows) break;
    work_row& row = out.rows.emplace_back();
    row.instruction = std::string(cost->instruction.name()), row.category = cost->category, row.bound = cost->bound;
    row.source = by_source.of(*cost), row.function = by_function.of(*cost);
    row.weight = by_weight.of(*cost), row.pass = by_pass.of(*cost);
    row.milliseconds = cost->total() * 1e3, row.exposed = cost->exposed * cost->runs * 1e3;
    row.microseconds = (cost->seconds + cost->exposed) * 1e6;
    row.runs = cost->runs, row.flops = cost->flops, row.bytes = cost->bytes;
  }
  out.more = order.size() - out.rows.size();
  return out;
}

}  // namespace hlolint::report
