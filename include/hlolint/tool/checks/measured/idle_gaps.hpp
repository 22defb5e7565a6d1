// TIM003: measured gaps between kernels.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compiled.hpp>

namespace hlolint {

/// profiles.md 12. Silent without a profile.
struct idle_gaps {
  static constexpr rule about{
      .id = "TIM003",
      .name = "idle-gaps",
      .costs = cost_kind::time,
      .what = "The device was measured idle between its kernels for a large part of a step.",
      .why =
          "In each gap the next kernel is being launched: the host, not the device, decides how long the step "
          "takes.",
      .advice =
          "Run fewer, larger kernels: larger batches, fused loops, or command buffers "
          "(--xla_gpu_enable_command_buffer).",
      .example = "%fusion.7 = f32[128]{0} fusion(%fusion.6), kind=kLoop, calls=%f",
      .source = "profiles.md 10; launch overhead of time_model.md 1: 2 to 5 us"};
  double min_share = 0.1;
  double min_gaps = 10;
  double max_gap_us = 1000;
  static constexpr auto options = std::tuple{
      option{"min-share", &idle_gaps::min_share, "runs with a smaller idle share are not reported"},
      option{"min-gaps", &idle_gaps::min_gaps, "runs with fewer gaps are not reported"},
      option{"max-gap-us", &idle_gaps::max_gap_us, "gaps that are longer on average wait for something else"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/tool/measured/measured_module.hpp>

#include <cmath>

namespace hlolint {

HLOLINT_INLINE void idle_gaps::operator()(const context& dump, sink_ref emit) const {
  if (!dump.measured() || !dump.has(need::scheduled)) return;
  const measured_module& m = *dump.measured();
  const double whole = m.mean_run();
  double idle = 0, gaps = 0;
  for (const measured_operation& o : m.operations()) idle += o.idle_before;
  for (const measured_device& d : m.devices)
    for (const profile_operation& o : d.module.operations) gaps += static_cast<double>(o.gaps);
  gaps /= std::max(1.0, static_cast<double>(m.runs()));
  if (gaps < min_gaps || idle < min_share * whole || idle / gaps > max_gap_us * 1e-6) return;
  emit(finding_at(*dump.hlo(), "the device is idle for " + duration_text(idle) + " of a run of " +
                                   duration_text(whole) + ", in " + std::to_string(std::lround(gaps)) + " gaps of " +
                                   duration_text(idle / gaps) + " between kernels"));
}

}  // namespace hlolint
#endif
