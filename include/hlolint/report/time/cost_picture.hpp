// The time of a step as plain values for pictures: sums over groups of instructions, and the costliest instructions
// with their bounds.
#pragma once

#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/analysis/time/step_summary.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hlolint::report {

/// An instruction of a step.
struct work_row {
  /// Its name, and the groups that it belongs to. @{
  std::string instruction, category, source, weight;
  /// @}
  std::string_view bound;                             ///< what limits its speed
  /// Milliseconds of all its runs, of waiting in them, and microseconds of one run. @{
  double milliseconds = 0, exposed = 0, microseconds = 0;
  /// @}
  double runs = 0;              ///< in a step
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
  record_list<work_group> groups;  ///< most time first
  std::size_t more = 0;            ///< further groups
  double more_seconds = 0;         ///< of those
};

/// A step.
struct work_picture {
  double utilisation = 0;                  ///< `step_summary::utilisation`
  double matrix_bound = 0;                 ///< milliseconds if nothing but the matrix units bound it
  std::size_t unknown_calls = 0;           ///< calls of unknown time
  /// Rates of the device per second: of its matrix units in 16 bits, and of its memory. @{
  double peak_flops = 0, memory_rate = 0;
  /// @}
  record_list<work_sums> sums;             ///< by category, source and weight
  record_list<work_row> rows;              ///< the costliest instructions, most time first
  std::size_t more = 0;                    ///< further instructions
};

/// Precondition: `time` is of the module, and its device is known. O(n log n).
inline work_picture work_picture_of(const context& module, const exposed_time& time) {
  constexpr std::size_t most_rows = 600, most_groups = 60;
  const instruction_costs costs(*module.hlo(), time);
  const step_summary step(*module.hlo(), time);
  const weights_read& weights = module.get<weights_read>();
  work_picture out;
  out.utilisation = step.utilisation, out.unknown_calls = step.unknown_calls;
  out.matrix_bound = costs.matrix_bound() * 1e3;
  out.peak_flops = time.on().f16_flops, out.memory_rate = time.on().memory_rate;
  for (const time_by by : {time_by::category, time_by::source, time_by::weight}) {
    work_sums& sums = out.sums.emplace_back();
    sums.by = by;
    for (const step_group& g : group_step(costs, by, &weights)) {
      if (sums.groups.size() == most_groups) {
        ++sums.more, sums.more_seconds += g.seconds;
        continue;
      }
      sums.groups.push_back({g.name, g.longest ? std::string(g.longest.name()) : std::string{}, g.seconds, g.exposed,
                             g.matrix_seconds, g.memory_seconds, g.runs});
    }
  }
  record_list<const instruction_cost*> order;
  for (const instruction_cost& cost : costs.rows()) order.push_back(&cost);
  sort_records(order, [](const instruction_cost* a, const instruction_cost* b) { return a->total() > b->total(); });
  for (const instruction_cost* const cost : order) {
    if (out.rows.size() == most_rows) break;
    work_row& row = out.rows.emplace_back();
    row.instruction = std::string(cost->instruction.name()), row.category = cost->category, row.bound = cost->bound;
    row.source = group_of(*cost, time_by::source, nullptr), row.weight = group_of(*cost, time_by::weight, &weights);
    row.milliseconds = cost->total() * 1e3, row.exposed = cost->exposed * cost->runs * 1e3;
    row.microseconds = (cost->seconds + cost->exposed) * 1e6;
    row.runs = cost->runs, row.flops = cost->flops, row.bytes = cost->bytes;
  }
  out.more = order.size() - out.rows.size();
  return out;
}

}  // namespace hlolint::report
