// The cost of each instruction of a step: rooflines and exposed transfer time (time_model.md 4.2, 6.2), in XProf's
// categories; and sums by a common property, which add up to the step.
#pragma once

#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/schedule_record.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/costs/mesh_axes.hpp>
#include <hlolint/tool/costs/weights_read.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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
  std::vector<hlo_instruction> open{fusion};
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
  return kind == "kInput"    ? "input fusion"
         : kind == "kOutput" ? "output fusion"
         : kind == "kCustom" ? "custom fusion"
                             : "loop fusion";
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
  return kinds_text(t.time);
}

/// One instruction that runs in the step. Seconds and bytes are of one run.
struct instruction_cost {
  hlo_instruction instruction;   ///< the work, or the start of a transfer
  std::string category;          ///< XProf's category
  double runs = 0;               ///< in a step
  double flops = 0;              ///< of the matrix units
  double bytes = 0;              ///< read and written in HBM
  double transferred_bytes = 0;  ///< sent by the device
  double matrix_seconds = 0;     ///< for `flops` at the peak of the matrix units
  double compute_seconds = 0;    ///< for all arithmetic at the device's peak
  double memory_seconds = 0;     ///< for `bytes` at the memory's peak
  double transfer_seconds = 0;   ///< of the transfer, hidden or not
  double seconds = 0;            ///< of work
  double scheduled = 0;          ///< of work as a TPU's compiler schedules it, at the peaks; 0 on other devices
  double exposed = 0;            ///< of waiting
  std::string_view bound;        ///< `compute`, `memory` and so on, or `transfer`
  /// Whether it moves anything beside work; what only computes there does not.
  bool is_transfer() const { return transfer_seconds > 0 && category != "async computation"; }
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
    std::optional<work_times> scheduled;
    if (time.on().is_tpu()) scheduled.emplace(module, as_scheduled(time.on()));
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
        if (works && scheduled) cost.scheduled = scheduled->of(i).seconds;
        if (transfer != starts.end()) add_transfer(cost, *transfer->second, peak);
        if (cost.seconds <= 0 && cost.transfer_seconds <= 0) continue;
        sum += cost.total(), matrix_ += cost.matrix_seconds * runs, memory_ += cost.memory_seconds * runs;
        rows_.push_back(std::move(cost));
      }
    }
    rest_ = step_ - sum;
  }

  /// In text order.
  const std::vector<instruction_cost>& rows() const { return rows_; }
  /// Seconds of the step in no row: calls that are nested too deeply to be followed.
  double not_attributed() const { return rest_; }
  /// Seconds of the step.
  double step() const { return step_; }
  /// Seconds of the step if only the peak of the matrix units limited it.
  double matrix_bound() const { return matrix_; }
  /// Seconds of the step if only the peak of the memory limited what instructions and copies on the chip read and
  /// write.
  double memory_bound() const { return memory_; }
  /// The larger of the two, at most the step: what no better schedule goes below.
  double bound() const { return std::min(step_, std::max(matrix_, memory_)); }

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
    cost.compute_seconds = std::max(cost.matrix_seconds, vector_seconds(peak, w));
    cost.memory_seconds = detail::over(w.bytes(), peak.memory_rate);
    cost.seconds = own.seconds, cost.bound = name_of(own.bound);
    // The compiler's own time, if it printed one, may be below the model's bounds.
    cost.matrix_seconds = std::min(cost.matrix_seconds, cost.seconds);
    cost.memory_seconds = std::min(cost.memory_seconds, cost.seconds);
    if (own.bound == work_bound::host) cost.category = "host transfer";
  }

  static void add_transfer(instruction_cost& cost, const exposed_transfer& t, const device& peak) {
    // A prefetch reads the memory beside what the instructions read.
    if (t.time.path == transfer_path::memory) cost.memory_seconds += detail::over(t.time.bytes, peak.memory_rate);
    cost.category = category_of(t);
    cost.transferred_bytes = t.time.wire_bytes, cost.transfer_seconds = t.time.seconds();
    if (cost.runs <= 0) cost.runs = t.runs;
    cost.exposed = cost.runs > 0 ? t.exposed / cost.runs : 0;
    if (cost.exposed >= cost.seconds) cost.bound = "transfer";
  }

  std::vector<instruction_cost> rows_;
  double step_ = 0, rest_ = 0, matrix_ = 0, memory_ = 0;
};

/// The property to group by.
enum class time_by : std::uint8_t {
  nothing,
  source,
  function,
  scope,
  pass,
  opcode,
  category,
  weight,
  axis,
  computation
};

/// The value of the option `--by`; empty for `nothing`.
constexpr std::string_view name_of(time_by by) {
  constexpr std::string_view names[] = {"",       "source",   "function", "scope", "pass",
                                        "opcode", "category", "weight",   "axis",  "computation"};
  return names[static_cast<std::size_t>(by)];
}

/// A part of the step. Seconds of all runs.
struct step_group {
  std::string name;                                  ///< the common property of its instructions
  double seconds = 0;                                ///< work and waiting
  double exposed = 0;                                ///< the part spent waiting for transfers
  double matrix_seconds = 0;                         ///< for its products at the peak of the matrix units
  double memory_seconds = 0;                         ///< for its bytes at the peak of the memory
  double transfer_seconds = 0;                       ///< of its transfers, hidden or not
  double sent_bytes = 0;                             ///< by each device in its transfers
  double runs = 0;                                   ///< of all its instructions
  std::size_t instructions = 0;                      ///< their number
  std::array<double, program_pass_count> of_pass{};  ///< `seconds` by pass
  hlo_instruction longest;                           ///< the instruction that takes most time; empty if there is none

  /// Adds another part, without its name.
  step_group& operator+=(const step_group& other) {
    seconds += other.seconds, exposed += other.exposed, matrix_seconds += other.matrix_seconds;
    memory_seconds += other.memory_seconds, transfer_seconds += other.transfer_seconds;
    sent_bytes += other.sent_bytes, runs += other.runs, instructions += other.instructions;
    for (std::size_t pass = 0; pass < of_pass.size(); ++pass) of_pass[pass] += other.of_pass[pass];
    return *this;
  }
};

/// The group of instructions without a source, an operation or a weight.
constexpr std::string_view without_group(time_by by) {
  return by == time_by::weight ? "(not traced)" : by == time_by::axis ? "(devices not known)" : "(not known)";
}

/// Finds the groups of the instructions of a module by one property.
class step_grouping {
 public:
  /// `depth`: how many parts of a scope count, 0 = all. Linear in the module; by weight as long as `weights_read`
  /// takes.
  step_grouping(const hlo_module& module, time_by by, std::size_t depth = 0)
      : step_grouping(by, std::make_shared<const program_passes>(module),
                      by == time_by::weight ? std::make_shared<const weights_read>(module) : nullptr) {
    depth_ = depth;
    if (by == time_by::axis) axes_.emplace(module), sources_.emplace(module);
  }
  /// From what is known already. Precondition: not by axis, and with weights if by weight.
  step_grouping(time_by by, std::shared_ptr<const program_passes> passes, std::shared_ptr<const weights_read> weights)
      : by_(by), passes_(std::move(passes)), weights_(std::move(weights)) {}

  /// The property.
  time_by by() const { return by_; }
  /// The passes of the module's instructions.
  const program_passes& passes() const { return *passes_; }
  /// The group of an instruction; empty if unknown.
  std::string of(const instruction_cost& cost) const {
    const hlo_instruction i = cost.instruction;
    switch (by_) {
      case time_by::source: {
        const program_place from = program_place_of(i);
        return from.at ? file_and_line(from.at.file, from.at.line) : std::string{};
      }
      case time_by::function: return function_and_file(user_function_of(i));
      case time_by::scope: return scope_of(program_place_of(i).op_name);
      case time_by::pass: return std::string(name_of(passes_->of(i)));
      case time_by::opcode: return std::string(i.opcode_text());
      case time_by::category: return cost.category;
      case time_by::weight:
        if (std::string weight = weights_->of(i); !weight.empty()) return weight;
        return weights_->reads_results_alone(i) ? "(no weight)" : "";
      case time_by::axis: return axis_of(cost);
      case time_by::computation: return std::string(i.computation().name());
      default: return {};
    }
  }

 private:
  std::string scope_of(const std::string& op_name) const {
    const std::size_t end = op_name.rfind('/');
    if (end == std::string::npos) return {};
    if (depth_ == 0) return op_name.substr(0, end);
    std::string out;
    const std::string whole = op_name.substr(0, end);
    const std::vector<std::string_view> parts = scope_parts(whole);
    for (std::size_t k = 0; k < parts.size() && k < depth_; ++k) out.append(k > 0 ? "/" : "").append(parts[k]);
    return out;
  }
  std::string axis_of(const instruction_cost& cost) const {
    if (!cost.is_transfer()) return "(no transfer)";
    if (cost.category == "host transfer") return "(host)";
    if (cost.category == "asynchronous copy") return "(copies in the device)";
    const hlo_instruction transfer = sources_->transfer_of(cost.instruction);
    return axes_->of(transfer ? transfer : cost.instruction);
  }

  time_by by_;
  std::size_t depth_ = 0;
  std::shared_ptr<const program_passes> passes_;
  std::shared_ptr<const weights_read> weights_;
  std::optional<mesh_axes> axes_;
  std::optional<transfer_sources> sources_;
};

/// The groups, most time first; by axis those with most transfers. Time of no instruction is `(not attributed)`. O(n
/// log n).
inline std::vector<step_group> group_step(const instruction_costs& costs, const step_grouping& grouping) {
  std::vector<step_group> out;
  std::unordered_map<std::string, std::size_t> known;
  std::vector<double> longest;
  const bool by_axis = grouping.by() == time_by::axis;
  for (const instruction_cost& cost : costs.rows()) {
    if (cost.total() <= 0 && !(by_axis && cost.is_transfer())) continue;
    std::string name = grouping.of(cost);
    if (name.empty()) name = without_group(grouping.by());
    const auto [found, added] = known.try_emplace(name, out.size());
    if (added) out.emplace_back().name = name, longest.push_back(-1);
    step_group one;
    one.seconds = cost.total(), one.exposed = cost.exposed * cost.runs, one.runs = cost.runs, one.instructions = 1;
    one.matrix_seconds = cost.matrix_seconds * cost.runs, one.memory_seconds = cost.memory_seconds * cost.runs;
    if (cost.is_transfer())
      one.transfer_seconds = cost.transfer_seconds * cost.runs, one.sent_bytes = cost.transferred_bytes * cost.runs;
    one.of_pass[static_cast<std::size_t>(grouping.passes().of(cost.instruction))] = cost.total();
    out[found->second] += one;
    if (cost.total() > longest[found->second])
      longest[found->second] = cost.total(), out[found->second].longest = cost.instruction;
  }
  if (std::abs(costs.not_attributed()) > 1e-9 * costs.step()) {
    out.emplace_back().name = "(not attributed)";
    out.back().seconds = costs.not_attributed();
  }
  std::stable_sort(out.begin(), out.end(), [&](const step_group& a, const step_group& b) {
    return by_axis ? in_order(-a.transfer_seconds, -b.transfer_seconds, -a.seconds, -b.seconds) : a.seconds > b.seconds;
  });
  return out;
}

}  // namespace hlolint
