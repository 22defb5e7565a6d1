// TIM006: time between runs in which a device has nothing to do
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/lint/option.hpp>

#include <tuple>

namespace hlolint {

/// Time between runs in which a device has nothing to do (profiles.md 12). Silent without a profile.
struct host_bound {
  static constexpr rule about{
      .id = "TIM006",
      .name = "host-bound",
      .level = severity::warning,
      .costs = cost_kind::time,
      .what = "Between the runs of programs a device was measured doing nothing for a large part of the time.",
      .why =
          "The host does not give it the next program in time: input, transfers to the host, or Python "
          "between the steps.",
      .advice =
          "Run several steps in one program (lax.scan), fetch results later, and prefetch input; "
          "block_until_ready in the loop makes each step wait.",
      .example = "a step of 10 ms starts every 16 ms",
      .source = "profiles.md 10 (gap between consecutive runs)"};
  double min_share = 0.2;
  double min_runs = 5;
  double min_us = 100;
  static constexpr auto options =
      std::tuple{option{"min-share", &host_bound::min_share, "of the time from one run to the next"},
                 option{"min-runs", &host_bound::min_runs, "of a device"},
                 option{"min-us", &host_bound::min_us, "between two runs, the median"}};

  /// Reports it.
  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/measured/measured_module.hpp>
#include <hlolint/analysis/measured/measured_step.hpp>
#include <hlolint/checks/measured/measured_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace hlolint {

struct host_bound::code : host_bound {
  void operator()(const context& dump, sink_ref report) const {
    if (!dump.measured() || !dump.has(need::scheduled)) return;
    for (const measured_device& d : dump.measured()->devices) {
      record_list<double> before;
      double runs = 0;
      for (std::size_t i = 1; i < d.module.runs.size(); ++i) {
        before.push_back(seconds_of(d.module.runs[i].outside));
        runs += seconds_of(d.module.runs[i].length());
      }
      if (before.empty() || static_cast<double>(d.module.runs.size()) < min_runs) continue;
      const double gap = median_of(before), run = runs / static_cast<double>(before.size());
      if (gap < min_us * 1e-6 || gap < min_share * (gap + run)) continue;
      report(finding_at(*dump.hlo(), dump.measured()->name_of(d) + " does nothing for " + detail::time_text_of(gap) +
                                         " before each run of " + detail::time_text_of(run) + " (median of " +
                                         std::to_string(before.size()) + "): the host is late"));
      return;
    }
  }
};

HLOLINT_INLINE void host_bound::operator()(const context& dump, sink_ref report) const { code{*this}(dump, report); }

}  // namespace hlolint
#endif
