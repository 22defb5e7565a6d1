// A measured module joined with its program: the measured time of each instruction beside the estimate (profiles.md 5,
// 7).
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>
#include <hlolint/tool/measured/measured_module.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// How many of a profile's names a program has.
struct profile_join {
  std::size_t found = 0;  ///< names of operations that the program has
  std::size_t names = 0;  ///< names of all operations
  /// Whether the profile is of the program: at least 95 % of the names (profiles.md 7).
  bool holds() const { return names > 0 && found * 100 >= names * 95; }
  friend bool operator==(const profile_join&, const profile_join&) = default;
};

/// Compares names alone. Linear in both.
inline profile_join join_of(const measured_module& measured, const instruction_names& names) {
  profile_join out;
  for (const measured_operation& o : measured.operations())
    ++out.names, out.found += static_cast<bool>(names.find(o.instruction));
  return out;
}

/// An instruction of a measured step. Seconds of one run on one device.
struct measured_row {
  measured_operation operation;    ///< the measurement
  hlo_instruction instruction;     ///< in the program; empty if not found
  std::string category;            ///< as in `time --by category`
  std::optional<double> estimate;  ///< the model's, in a run; nothing without a program or a device
  /// The model's figures for one execution; 0 if unknown. @{
  double flops = 0, bytes = 0, compute_seconds = 0, memory_seconds = 0;
  double runs = 0;  ///< executions in a run
  /// @}
};

/// A module's measured step.
class measured_step {
 public:
  /// Without a program.
  explicit measured_step(const measured_module& measured) : measured_(&measured) {
    for (measured_operation& o : measured.operations()) {
      measured_row& row = rows_.emplace_back();
      row.category = o.category.empty() ? o.collective : o.category;
      row.flops = o.flops, row.bytes = o.bytes;
      row.operation = std::move(o);
    }
  }
  /// With the program and its estimate. Linear but for sorting. Precondition: the module is scheduled.
  measured_step(const measured_module& measured, const hlo_module& module, const exposed_time& time)
      : measured_step(measured) {
    const instruction_names names(module);
    const instruction_costs costs(module, time);
    std::unordered_map<id, const instruction_cost*> work;
    for (const instruction_cost& c : costs.rows()) work.emplace(c.instruction.id(), &c);
    // The time spent waiting for a transfer belongs to its end.
    std::unordered_map<id, double> waits;
    std::unordered_map<id, const exposed_transfer*> ends;
    for (const exposed_transfer& t : time.transfers()) {
      if (!t.in_step) continue;
      const hlo_instruction end = t.done ? t.done : t.start;
      waits[end.id()] += t.exposed, ends[end.id()] = &t;
      if (!t.computes) (t.time.kind == hlo_opcode::copy ? estimated_copies_ : estimated_exposed_) += t.exposed;
    }
    estimated_step_ = time.step(), estimated_compute_ = time.compute();
    for (measured_row& row : rows_) {
      row.instruction = names.find(row.operation.instruction);
      ++join_.names;
      if (!row.instruction) continue;
      ++join_.found;
      row.category = category_of(row.instruction);
      double estimate = 0;
      if (const auto found = work.find(row.instruction.id()); found != work.end()) {
        const instruction_cost& c = *found->second;
        estimate += c.seconds * c.runs;
        row.flops = c.flops, row.bytes = c.bytes, row.runs = c.runs;
        row.compute_seconds = c.compute_seconds, row.memory_seconds = c.memory_seconds;
        row.category = c.category;
      }
      if (const auto found = waits.find(row.instruction.id()); found != waits.end()) estimate += found->second;
      if (const auto found = ends.find(row.instruction.id()); found != ends.end())
        row.category = category_of(*found->second);
      if (!time.on().is_relative()) row.estimate = estimate;
    }
    is_estimated_ = !time.on().is_relative();
  }
  /// From a cache. Precondition: the module was measured and is scheduled.
  template <analysis_cache Cache>
  requires requires(const Cache& made) { made.measured(); }
  explicit measured_step(const Cache& made)
      : measured_step(*made.measured(), *made.hlo(), made.template get<exposed_time>()) {}

  /// The measurements on all devices.
  const measured_module& measured() const { return *measured_; }
  /// Most time first.
  const std::vector<measured_row>& rows() const { return rows_; }
  /// How many names match; empty without a program.
  const profile_join& join() const { return join_; }
  /// Whether there are estimates.
  bool is_estimated() const { return is_estimated_; }
  /// The estimate in seconds of a run: total, work, waiting for collectives, waiting for copies. @{
  double estimated_step() const { return estimated_step_; }
  double estimated_compute() const { return estimated_compute_; }
  double estimated_exposed() const { return estimated_exposed_; }
  double estimated_copies() const { return estimated_copies_; }
  /// @}

 private:
  const measured_module* measured_;
  std::vector<measured_row> rows_;
  profile_join join_;
  bool is_estimated_ = false;
  double estimated_step_ = 0, estimated_compute_ = 0, estimated_exposed_ = 0, estimated_copies_ = 0;
};

/// A part of a measured step. Seconds of one run.
struct measured_group {
  std::string name;                ///< the common property of its instructions
  double seconds = 0;              ///< measured
  std::optional<double> estimate;  ///< of the model
  double count = 0;                ///< executions
};

/// The groups, most time first. `grouping`, of the same property, is needed for what belongs to instructions of the
/// module; null if it is not known.
inline std::vector<measured_group> group_measured(const measured_step& step, time_by by,
                                                  const step_grouping* grouping = nullptr) {
  std::vector<measured_group> out;
  std::unordered_map<std::string, std::size_t> known;
  for (const measured_row& row : step.rows()) {
    std::string name;
    if (row.instruction && grouping) {
      instruction_cost cost;
      cost.instruction = row.instruction, cost.category = row.category;
      cost.transfer_seconds = is_transfer_opcode(row.instruction.opcode()) || is_collective(row.instruction.opcode());
      name = grouping->of(cost);
    } else if (by == time_by::source || by == time_by::scope) {
      name =
          by == time_by::source ? row.operation.source : row.operation.scope.substr(0, row.operation.scope.rfind('/'));
    } else if (by == time_by::category || by == time_by::opcode) {
      name = row.category;
    }
    if (name.empty()) name = without_group(by);
    const auto [found, added] = known.try_emplace(name, out.size());
    if (added) out.emplace_back().name = name;
    measured_group& group = out[found->second];
    group.seconds += row.operation.seconds, group.count += row.operation.count;
    if (row.estimate) group.estimate = group.estimate.value_or(0) + *row.estimate;
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const measured_group& a, const measured_group& b) { return a.seconds > b.seconds; });
  return out;
}

}  // namespace hlolint
