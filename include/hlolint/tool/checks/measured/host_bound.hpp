// TIM006: a device that is idle between runs.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compiled.hpp>

namespace hlolint {

/// profiles.md 12. Silent without a profile.
struct host_bound {
  static constexpr rule about{
      .id = "TIM006",
      .name = "host-bound",
      .costs = cost_kind::time,
      .what = "A device was measured idle between the runs of programs for a large part of the time.",
      .why =
          "The host does not supply the next program in time: it waits for input, for transfers, or for Python "
          "between the steps.",
      .advice =
          "Run several steps in one program (lax.scan), fetch results later, and prefetch input; "
          "block_until_ready in the loop makes every step wait.",
      .example = "a step of 10 ms starts every 16 ms",
      .source = "profiles.md 10 (gap between consecutive runs)"};
  double min_share = 0.2;
  double min_runs = 5;
  double min_us = 100;
  static constexpr auto options = std::tuple{
      option{"min-share", &host_bound::min_share, "devices with a smaller idle share of the time are not reported"},
      option{"min-runs", &host_bound::min_runs, "devices with fewer runs are not judged"},
      option{"min-us", &host_bound::min_us, "shorter gaps between two runs (median) are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/tool/measured/measured_module.hpp>

#include <vector>

namespace hlolint {

HLOLINT_INLINE void host_bound::operator()(const context& dump, sink_ref emit) const {
  if (!dump.measured() || !dump.has(need::scheduled)) return;
  for (const measured_device& d : dump.measured()->devices) {
    std::vector<double> before;
    double runs = 0;
    for (std::size_t i = 1; i < d.module.runs.size(); ++i) {
      before.push_back(seconds_of(d.module.runs[i].outside));
      runs += seconds_of(d.module.runs[i].length());
    }
    if (before.empty() || static_cast<double>(d.module.runs.size()) < min_runs) continue;
    const double gap = median_of(before), run = runs / static_cast<double>(before.size());
    if (gap < min_us * 1e-6 || gap < min_share * (gap + run)) continue;
    emit(finding_at(*dump.hlo(), dump.measured()->name_of(d) + " is idle for " + duration_text(gap) +
                                     " before each run of " + duration_text(run) + " (median of " +
                                     std::to_string(before.size()) + "): the host is late"));
    return;
  }
}

}  // namespace hlolint
#endif
