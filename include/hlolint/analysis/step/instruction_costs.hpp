// What each instruction of a step costs: its rooflines and what of its transfer is exposed (time_model.md 4.2, 6.2).
#pragma once

#include <hlolint/analysis/step/instruction_category.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hlolint {

/// One instruction that runs in the step. Seconds and bytes are of one run.
struct instruction_cost {
  hlo_instruction instruction;    ///< the work, or the start of a transfer
  std::string category;           ///< as XProf's op profile has it
  double runs = 0;                ///< in a step
  double flops = 0;               ///< of the matrix units
  double bytes = 0;               ///< read and written in HBM
  double transferred_bytes = 0;   ///< that the device sends
  double matrix_seconds = 0;      ///< of `flops` at the peak of the matrix units
  double compute_seconds = 0;     ///< of all arithmetic at the device's peak
  double memory_seconds = 0;      ///< of `bytes` at the memory's peak
  double transfer_seconds = 0;    ///< of the transfer, hidden or not
  double seconds = 0;             ///< in which the device works
  double exposed = 0;             ///< in which it waits
  std::string_view bound;         ///< `compute`, `memory` and so on, or `transfer`
  /// Of all runs in the step.
  double total() const { return (seconds + exposed) * runs; }
  /// What the larger of the two peaks allows, as a part of the time that it takes; 0 if it does not work.
  double of_peak() const {
    return seconds > 0 ? std::min(1.0, std::max(compute_seconds, memory_seconds) / seconds) : 0;
  }
};

/// All that takes time in a step, in text order. Refers to the module of `time`.
class instruction_costs {
 public:
  /// Linear in the instructions. Precondition: `time` is of the module.
  instruction_costs(const hlo_module& module, const exposed_time& time) : step_(time.step()) {
    device peak = time.on();
    peak.matmul_efficiency = peak.f32_matmul_efficiency = peak.attention_efficiency = 1;
    std::unordered_map<id, const exposed_transfer*> starts;
    for (const exposed_transfer& t : time.transfers())
      if (t.in_step) starts.emplace(t.start.id(), &t);
    double sum = 0;
    for (const hlo_computation c : module.computations()) {
      const double runs = time.runs_of(c);
      for (const hlo_instruction i : c.instructions()) {
        const auto transfer = starts.find(i.id());
        const bool works = runs > 0 && is_work(i, time);
        if (!works && transfer == starts.end()) continue;
        instruction_cost cost;
        cost.instruction = i, cost.runs = runs;
        if (works) add_work(cost, time, peak);
        if (transfer != starts.end()) add_transfer(cost, *transfer->second);
        if (cost.seconds <= 0 && cost.transfer_seconds <= 0) continue;
        sum += cost.total(), matrix_ += cost.matrix_seconds * runs;
        rows_.push_back(std::move(cost));
      }
    }
    rest_ = step_ - sum;
  }

  /// In text order.
  const record_list<instruction_cost>& rows() const { return rows_; }
  /// Seconds of the step that no row has: of calls that are nested too deep to be followed.
  double not_attributed() const { return rest_; }
  /// Seconds of the step.
  double step() const { return step_; }
  /// What the step would take if nothing but the peak of the matrix units bound it.
  double matrix_bound() const { return matrix_; }

 private:
  // What the walk over the schedule counts as work.
  static bool is_work(hlo_instruction i, const exposed_time& time) {
    using enum hlo_opcode;
    switch (i.opcode()) {
      case parameter:
      case tuple:
      case get_tuple_element:
      case async_update:
      case async_start:
      case while_:
      case conditional:
        return false;
      case call:
        if (i.called_computation_count() > 0) return false;
        break;
      default:
        break;
    }
    if (is_free(i)) return false;
    const transfer_role role = time.links().sources().role_of(i);
    return role == transfer_role::nothing || (role == transfer_role::synchronous && i.opcode() == fusion);
  }

  static void add_work(instruction_cost& cost, const exposed_time& time, const device& peak) {
    const work w = time.work().work_of(cost.instruction);
    const work_time own = time.work().of(cost.instruction);
    cost.category = category_of(cost.instruction);
    if (cost.instruction.opcode() == hlo_opcode::custom_call && w.flops > 0 && !w.by_hand)
      cost.category = "matmul custom call";
    cost.flops = w.flops, cost.bytes = w.bytes();
    if (w.flops > 0)
      cost.matrix_seconds = detail::over(w.flops, matmul_rate(peak, w.type.value_or(element_type::f32), w.by_hand));
    cost.compute_seconds = std::max(cost.matrix_seconds, detail::over(w.vector_ops, peak.vector_ops));
    cost.memory_seconds = detail::over(w.bytes(), peak.memory_rate);
    cost.seconds = own.seconds, cost.bound = name_of(own.bound);
    if (own.bound == work_bound::host) cost.category = "host transfer";
  }

  static void add_transfer(instruction_cost& cost, const exposed_transfer& t) {
    cost.category = category_of(t);
    cost.transferred_bytes = t.time.wire_bytes, cost.transfer_seconds = t.time.seconds();
    if (cost.runs <= 0) cost.runs = t.runs;
    cost.exposed = cost.runs > 0 ? t.exposed / cost.runs : 0;
    if (cost.exposed >= cost.seconds) cost.bound = "transfer";
  }

  record_list<instruction_cost> rows_;
  double step_ = 0, rest_ = 0, matrix_ = 0;
};

}  // namespace hlolint
