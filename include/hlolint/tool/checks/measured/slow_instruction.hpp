// TIM001: an instruction that was measured much slower than its device allows.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compiled.hpp>

namespace hlolint {

/// profiles.md 12. Silent without a profile.
struct slow_instruction {
  static constexpr rule about{
      .id = "TIM001",
      .name = "slow-instruction",
      .level = severity::note,
      .costs = cost_kind::time,
      .what =
          "An instruction took several times as long as its device needs for its operations and bytes, and a "
          "part of the step that matters.",
      .why =
          "The device could do it faster: the instruction reaches neither the bandwidth of the memory nor the "
          "rate of the compute units.",
      .advice =
          "Look at what it does: many small pieces, strides, padding of small dimensions and an unsuitable "
          "layout cost the most. A larger batch, another layout or a fused form helps.",
      .example = "%gather.3 = f32[65536,8]{1,0} gather(%table, %indices)",
      .source = "profiles.md 12; roofline of time_model.md 1 and 4.2"};
  double min_ratio = 3;
  double min_share = 0.01;
  double min_us = 20;
  double min_samples = 3;
  static constexpr auto options = std::tuple{
      option{"min-ratio", &slow_instruction::min_ratio, "measured time / least time by the peaks of the device"},
      option{"min-share", &slow_instruction::min_share, "smaller shares of the step are not reported"},
      option{"min-us", &slow_instruction::min_us, "shorter executions are launch overhead and not reported"},
      option{"min-samples", &slow_instruction::min_samples, "fewer executions are not judged"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/tool/measured/measured_step.hpp>

namespace hlolint {

namespace tim001 {

// The likely reason, if times and shapes show one.
inline std::string reason(const measured_row& row, double each) {
  const measured_operation& o = row.operation;
  if (o.least > 0 && each > 2 * o.least) return "; its executions differ, the fastest took " + duration_text(o.least);
  double padded = 1;
  const auto look = [&](const shape& s) {
    if (const auto cost = explain_padding(s)) padded = std::max(padded, cost->ratio());
  };
  std::int64_t row_bytes = INT64_MAX;  // of the shortest rows that an instruction moves one by one
  const auto look_at = [&](hlo_instruction i) {
    using enum hlo_opcode;
    const bool by_rows = i.opcode() == gather || i.opcode() == scatter || i.opcode() == transpose ||
                         i.opcode() == dynamic_slice || i.opcode() == dynamic_update_slice;
    const shape* const s = i.shape();
    if (!by_rows || !s || !s->is_array() || !s->layout || s->layout->minor_to_major.empty()) return;
    const auto minor = static_cast<std::size_t>(s->layout->minor_to_major[0]);
    // Small arrays, such as slices of indices, do not matter; nor do arrays of unknown size.
    if (minor >= s->dimensions.size() || dense_size(*s).value_or(0) < 65536) return;
    if (const auto bytes = checked_multiply(s->dimensions[minor].size, std::int64_t{byte_width(s->type)}))
      row_bytes = std::min(row_bytes, *bytes);
  };
  const hlo_instruction i = row.instruction;
  look_at(i);
  for (const hlo_computation body : i.called_computations())
    if (i.opcode() == hlo_opcode::fusion)
      for (const hlo_instruction inner : body.instructions()) look_at(inner);
  if (i.shape()) look(*i.shape());
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const hlo_instruction operand = i.operand(k); operand && operand.shape()) look(*operand.shape());
  if (padded >= 2)
    return "; padding makes one of its arrays " + number_text(padded) + " times as large as its elements";
  if (row_bytes < 512) return "; it moves rows of " + std::to_string(row_bytes) + " bytes";
  return {};
}

}  // namespace tim001

HLOLINT_INLINE void slow_instruction::operator()(const context& dump, sink_ref emit) const {
  if (!dump.measured() || !dump.has(need::scheduled) || dump.device().is_relative()) return;
  const auto& step = dump.get<measured_step>();
  const double whole = step.measured().mean_run();
  for (const measured_row& row : step.rows()) {
    const measured_operation& o = row.operation;
    const double bound = std::max(row.compute_seconds, row.memory_seconds) * row.runs;
    if (!row.instruction || !o.collective.empty() || bound <= 0 || o.count <= 0) continue;
    const double each = o.seconds / std::max(row.runs, 1.0);
    if (o.seconds < min_ratio * bound || o.seconds < min_share * whole || each < min_us * 1e-6 ||
        static_cast<double>(o.samples) < min_samples)
      continue;
    const bool by_memory = row.memory_seconds >= row.compute_seconds;
    finding d =
        finding_at(row.instruction, row.category + " reaches " + share_text(bound, o.seconds) +
                                        (by_memory ? " of the bandwidth of the memory" : " of the rate of its units") +
                                        ": " + duration_text(o.seconds) + " of a step of " + duration_text(whole) +
                                        tim001::reason(row, o.seconds / o.count));
    d.saves.push_back({row.instruction, 1 - bound / o.seconds});
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
