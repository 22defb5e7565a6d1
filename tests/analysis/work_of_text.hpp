// The work and the time of a line of HLO on a device, for tests of what instructions cost.
#pragma once

#include "module_of.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>

#include <string>

namespace hlolint::testing {

/// The work of the root of an entry, other computations before it.
inline work work_in(const std::string& lines, const std::string& before = {}, const char* on = "h100-sxm") {
  const hlo_module module = module_of("HloModule m, is_scheduled=true\n\n" + before + "ENTRY %e {\n" + lines + "}\n");
  return work_times(module, find_device(on).value()).work_of(module.entry().root());
}
/// The time of the root of an entry.
inline work_time time_in(const std::string& lines, const char* on) {
  const hlo_module module = module_of("HloModule m, is_scheduled=true\n\nENTRY %e {\n" + lines + "}\n");
  return work_times(module, find_device(on).value()).of(module.entry().root());
}

inline constexpr double mebi = 1048576;

}  // namespace hlolint::testing
