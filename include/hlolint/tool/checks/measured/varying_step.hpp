// TIM005: runs that differ in length.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compiled.hpp>

namespace hlolint {

/// profiles.md 12. Silent without a profile.
struct varying_step {
  static constexpr rule about{
      .id = "TIM005",
      .name = "varying-step",
      .level = severity::note,
      .costs = cost_kind::time,
      .what = "The runs of a program were measured to differ much in length.",
      .why =
          "A program does the same work in each run: the difference is waiting for the host, for input, or for "
          "other devices.",
      .advice =
          "Compare a long run with a short one on the timeline; input pipelines, garbage collection and "
          "checkpoints are common reasons.",
      .example = "the middle half of 100 runs lasts 90 to 140 ms",
      .source = "profiles.md 12"};
  double min_spread = 0.2;
  double min_runs = 10;
  static constexpr auto options = std::tuple{
      option{"min-spread", &varying_step::min_spread,
             "distance of the quarter of short runs from the quarter of long ones, as a share of the median"},
      option{"min-runs", &varying_step::min_runs,
             "devices with fewer runs after the first, which warms up, are not judged"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/tool/measured/measured_module.hpp>

#include <algorithm>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void varying_step::operator()(const context& dump, sink_ref emit) const {
  if (!dump.measured() || !dump.has(need::scheduled)) return;
  for (const measured_device& d : dump.measured()->devices) {
    std::vector<double> lengths;
    for (std::size_t i = 1; i < d.module.runs.size(); ++i) lengths.push_back(seconds_of(d.module.runs[i].length()));
    if (lengths.empty() || static_cast<double>(lengths.size()) < min_runs) continue;
    std::sort(lengths.begin(), lengths.end());
    const double low = lengths[lengths.size() / 4], high = lengths[lengths.size() * 3 / 4], middle = median_of(lengths);
    if (middle <= 0 || high - low < min_spread * middle) continue;
    emit(finding_at(*dump.hlo(), "the middle half of " + std::to_string(lengths.size()) + " runs on " +
                                     dump.measured()->name_of(d) + " lasts " + duration_text(low) + " to " +
                                     duration_text(high)));
    return;  // the other devices run in step with it
  }
}

}  // namespace hlolint
#endif
