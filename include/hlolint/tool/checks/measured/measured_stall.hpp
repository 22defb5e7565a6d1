// TIM002: a measured wait at the end of a transfer.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compiled.hpp>

namespace hlolint {

/// profiles.md 12. Silent without a profile.
struct measured_stall {
  static constexpr rule about{
      .id = "TIM002",
      .name = "measured-stall",
      .costs = cost_kind::time,
      .what = "The device was measured waiting at the end of an asynchronous copy or collective.",
      .why =
          "The work beside the transfer is too short, or the transfer starts too late: the wait is added to the "
          "step.",
      .advice =
          "Start the transfer earlier, or give it more work to run beside; a copy from host memory can be "
          "prefetched one layer ahead.",
      .example = "%copy-done.2 = f32[4096,4096]{1,0:T(8,128)} copy-done(%copy-start.2)",
      .source = "profiles.md 10; jax/_src/profiler.py (hlo_category async-done)"};
  double min_us = 50;
  double min_share = 0.02;
  static constexpr auto options = std::tuple{
      option{"min-us", &measured_stall::min_us, "shorter waits in a step are not reported"},
      option{"min-share", &measured_stall::min_share, "waits for a smaller share of the step are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/measured/measured_step.hpp>

namespace hlolint {

HLOLINT_INLINE void measured_stall::operator()(const context& dump, sink_ref emit) const {
  if (!dump.measured() || !dump.has(need::scheduled)) return;
  const auto& step = dump.get<measured_step>();
  const double whole = step.measured().mean_run();
  for (const measured_row& row : step.rows()) {
    const measured_operation& o = row.operation;
    const bool ends = o.instruction.find("-done") != std::string::npos ||
                      (row.instruction && row.instruction.opcode_text().ends_with("-done"));
    if (!row.instruction || !ends || o.seconds < min_us * 1e-6 || o.seconds < min_share * whole) continue;
    emit(finding_at(row.instruction, str_cat({"the device waits ", duration_text(o.seconds), " (",
                                              share_text(o.seconds, whole), " of the step) for this ", row.category})));
  }
}

}  // namespace hlolint
#endif
