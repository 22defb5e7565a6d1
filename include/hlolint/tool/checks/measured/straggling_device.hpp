// TIM004: a device that computes longer than the others.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compiled.hpp>

namespace hlolint {

/// profiles.md 12. Silent without a profile.
struct straggling_device {
  static constexpr rule about{
      .id = "TIM004",
      .name = "straggling-device",
      .costs = cost_kind::time,
      .what = "In every run one device was measured computing longer than the others, so that they wait for it.",
      .why =
          "Devices that run one program in step are as fast as the slowest of them. Only compute time is "
          "compared: in collectives the other devices wait.",
      .advice = "Look for a larger share of the work on that device, or for a device that is throttled or shared.",
      .example = "/device:TPU:3 of four computes 40 % longer than the median",
      .source = "profiles.md 6 (straggler by compute time)"};
  double min_share = 0.05;
  double min_runs = 3;
  double min_us = 50;
  static constexpr auto options = std::tuple{
      option{"min-share", &straggling_device::min_share, "share of the median by which the device is slower"},
      option{"min-runs", &straggling_device::min_runs, "devices with fewer runs are not compared"},
      option{"min-us", &straggling_device::min_us, "microseconds by which the device is slower than the median"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_TOOL_DECLARATIONS_ONLY
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/measured/measured_module.hpp>

#include <utility>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void straggling_device::operator()(const context& dump, sink_ref emit) const {
  if (!dump.measured() || !dump.has(need::scheduled) || dump.measured()->devices.size() < 2) return;
  const measured_module& m = *dump.measured();
  std::vector<double> middle;
  std::size_t slowest = 0;
  for (const measured_device& d : m.devices) {
    if (static_cast<double>(d.module.runs.size()) < min_runs) return;
    std::vector<double> own;
    for (const profile_run& r : d.module.runs) own.push_back(seconds_of(r.compute));
    middle.push_back(median_of(std::move(own)));
    if (middle.back() > middle[slowest]) slowest = middle.size() - 1;
  }
  const double usual = median_of(middle), more = middle[slowest] - usual;
  if (usual <= 0 || more < min_share * usual || more < min_us * 1e-6) return;
  emit(finding_at(*dump.hlo(),
                  str_cat({m.name_of(m.devices[slowest]), " computes ", duration_text(middle[slowest]), " in a run, ",
                           share_text(more, usual), " longer than the median of ", m.devices.size(), " devices"})));
}

}  // namespace hlolint
#endif
