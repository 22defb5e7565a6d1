// The cost of each instruction of a step: rooflines and exposed transfer time (time_model.md 4.2, 6.2), in XProf's
// categories; and sums by a common property, which add up to the step.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/step/weights_read.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hlolint {

namespace detail {

// Whether the operation only moves elements.
constexpr bool only_formats(hlo_opcode opcode) {
  using enum hlo_opcode;
  return keeps_elements(opcode) || opcode == broadcast || opcode == slice || opcode == dynamic_slice ||
         opcode == dynamic_update_slice || opcode == concatenate || opcode == pad || opcode == reverse ||
         opcode == parameter || opcode == constant || opcode == tuple || opcode == get_tuple_element;
}

inline std::string category_of_fusion(hlo_instruction fusion) {
  constexpr std::size_t most = 64;  // nested fusions
  record_list<hlo_instruction> open{fusion};
  bool formats = true, products = false;
  for (std::size_t next = 0; next < open.size() && next < most; ++next)
    for (const hlo_computation called : open[next].called_computations())
      if (called)
        for (const hlo_instruction i : called.instructions()) {
          if (i.opcode() == hlo_opcode::convolution) return "convolution fusion";
          if (i.opcode() == hlo_opcode::fusion) open.push_back(i);
          products = products || i.opcode() == hlo_opcode::dot;
          formats = formats && (only_formats(i.opcode()) || i.opcode() == hlo_opcode::fusion);
        }
  if (products) return "matmul fusion";
  if (formats) return "data formatting";
  const std::string_view kind = fusion.attribute(attribute_key::kind).value_or(std::string_view{});
  return kind == "kInput" ? "input fusion" : kind == "kOutput" ? "output fusion"
       : kind == "kCustom" ? "custom fusion" : "loop fusion";
}

}  // namespace detail

/// The category of work in XProf's op profile: `convolution fusion`, `matmul fusion`, `loop fusion`, `data formatting`,
/// `custom call`, else the opcode.
inline std::string category_of(hlo_instruction i) {
  using enum hlo_opcode;
  if (i.opcode() == fusion) return detail::category_of_fusion(i);
  if (i.opcode() == dot) return "matmul";
  if (i.opcode() == custom_call) return "custom call";
  if (i.opcode() == copy) return "copy";
  if (detail::only_formats(i.opcode())) return "data formatting";
  if (is_elementwise(i.opcode())) return "non-fusion elementwise";
  return std::string(i.opcode_text());
}

/// The category of a transfer: the collective without `-start`, `asynchronous copy`, `host transfer` or `async
/// computation`.
inline std::string category_of(const exposed_transfer& t) {
  if (t.computes) return "async computation";
  if (t.time.path == transfer_path::host) return "host transfer";
  if (t.time.kind == hlo_opcode::copy) return "asynchronous copy";
  return std::string(name_of(t.time.kind));
}

/// One instruction that runs in the step. Seconds and bytes are of one run.
struct instruction_cost {
  hlo_instruction instruction;    ///< the work, or the start of a transfer
  std::string category;           ///< XProf's category
  double runs = 0;                ///< in a step
  double flops = 0;               ///< of the matrix units
  double bytes = 0;               ///< read and written in HBM
  double transferred_bytes = 0;   ///< sent by the device
  double matrix_seconds = 0;      ///< for `flops` at the peak of the matrix units
  double compute_seconds = 0;     ///< for all arithmetic at the device's peak
  double memory_seconds = 0;      ///< for `bytes` at the memory's peak
  double transfer_seconds = 0;    ///< of the transfer, hidden or not
  double seconds = 0;             ///< of work
  double exposed = 0;             ///< of waiting
  std::string_view bound;         ///< `compute`, `memory` and so on, or `transfer`
  /// Seconds of all runs in the step.
  double total() const { return (seconds + exposed) * runs; }
  /// The time at the limiting peak over the time of work; 0 without work.
  double of_peak() const {
    return seconds > 0 ? std::min(1.0, std::max(compute_seconds, memory_seconds) / seconds) : 0;
  }
};

/// All instructions that take time in a step. Refers to the module of `time`.
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
  /// Seconds of the step in no row: calls that are nested too deeply to be followed.
  double not_attributed() const { return rest_; }
  /// Seconds of the step.
  double step() const { return step_; }
  /// Seconds of the step if only the peak of the matrix units limited it.
  double matrix_bound() const { return matrix_; }

 private:
  // Whether the walk over the schedule counts the instruction as work.
  static bool is_work(hlo_instruction i, const exposed_time& time) {
    using enum hlo_opcode;
    const hlo_opcode op = i.opcode();
    if (op == parameter || op == tuple || op == get_tuple_element || op == async_update || op == async_start ||
        op == while_ || op == conditional || (op == call && i.called_computation_count() > 0) || is_free(i))
      return false;
    const transfer_role role = time.links().sources().role_of(i);
    return role == transfer_role::nothing || (role == transfer_role::synchronous && op == fusion);
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

/// The property to group by.
enum class time_by : std::uint8_t { nothing, source, scope, opcode, category, weight, computation };

/// The value of the option `--by`; empty for `nothing`.
constexpr std::string_view name_of(time_by by) {
  constexpr std::string_view names[] = {"", "source", "scope", "opcode", "category", "weight", "computation"};
  return names[static_cast<std::size_t>(by)];
}

/// A part of the step. Seconds of all runs.
struct step_group {
  std::string name;  ///< the common property of its instructions
  double seconds = 0;             ///< work and waiting
  double exposed = 0;             ///< the part spent waiting for transfers
  double matrix_seconds = 0;      ///< for its products at the peak of the matrix units
  double memory_seconds = 0;      ///< for its bytes at the peak of the memory
  double runs = 0;                ///< of all its instructions
  std::size_t instructions = 0;   ///< their number
  hlo_instruction longest;        ///< the instruction that takes most time; empty if there is none
};

/// The group of instructions without a source, an operation or a weight.
constexpr std::string_view without_group(time_by by) { return by == time_by::weight ? "(not traced)" : "(not known)"; }

/// The group of an instruction; empty if unknown. `weights` is needed only for `time_by::weight`.
inline std::string group_of(const instruction_cost& cost, time_by by, const weights_read* weights) {
  const hlo_instruction i = cost.instruction;
  switch (by) {
    case time_by::source: {
      const program_place from = program_place_of(i);
      return from.at ? file_and_line(from.at.file, from.at.line) : std::string{};
    }
    case time_by::scope: {
      std::string name = program_place_of(i).op_name;
      const std::size_t end = name.rfind('/');
      return end == std::string::npos ? std::string{} : name.substr(0, end);
    }
    case time_by::opcode: return std::string(i.opcode_text());
    case time_by::category: return cost.category;
    case time_by::weight:
      if (!weights) return {};
      if (std::string weight = weights->of(i); !weight.empty()) return weight;
      return weights->reads_results_alone(i) ? "(no weight)" : "";
    case time_by::computation: return std::string(i.computation().name());
    default: return {};
  }
}

/// The groups, most time first. Time of no instruction is `(not attributed)`. O(n log n).
inline record_list<step_group> group_step(const instruction_costs& costs, time_by by,
                                          const weights_read* weights = nullptr) {
  record_list<step_group> out;
  std::unordered_map<std::string, std::size_t> known;
  record_list<double> longest;
  for (const instruction_cost& cost : costs.rows()) {
    if (cost.total() <= 0) continue;
    std::string name = group_of(cost, by, weights);
    if (name.empty()) name = without_group(by);
    const auto [found, added] = known.try_emplace(name, out.size());
    if (added) out.emplace_back().name = name, longest.push_back(-1);
    step_group& group = out[found->second];
    group.seconds += cost.total(), group.exposed += cost.exposed * cost.runs, group.runs += cost.runs;
    group.matrix_seconds += cost.matrix_seconds * cost.runs, group.memory_seconds += cost.memory_seconds * cost.runs;
    ++group.instructions;
    if (cost.total() > longest[found->second]) longest[found->second] = cost.total(), group.longest = cost.instruction;
  }
  if (std::abs(costs.not_attributed()) > 1e-9 * costs.step()) {
    out.emplace_back().name = "(not attributed)";
    out.back().seconds = costs.not_attributed();
  }
  sort_records(out, [](const step_group& a, const step_group& b) { return a.seconds > b.seconds; });
  return out;
}

}  // namespace hlolint
