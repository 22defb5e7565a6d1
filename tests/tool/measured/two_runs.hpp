// A program with a transfer, and two runs of it on one device.
#pragma once

#include <hlolint/tool/measured/measured_module.hpp>

#include <cstdint>
#include <vector>

namespace hlolint::testing {

/// An operation by its times.
inline profile_operation ran(const char* name, std::uint64_t count, picoseconds total, picoseconds least) {
  profile_operation o;
  o.instruction = name, o.count = count, o.total = total, o.least = least;
  return o;
}

/// The program.
inline constexpr const char* measured_text = R"(HloModule m, is_scheduled=true, num_partitions=2

ENTRY %main {
  %p = f32[4194304]{0} parameter(0)
  %s = (f32[4194304]{0}, f32[4194304]{0}) collective-permute-start(%p), channel_id=1, source_target_pairs={{0,1},{1,0}}
  %d = f32[4194304]{0} collective-permute-done(%s)
  ROOT %n = f32[4194304]{0} negate(%d), metadata={op_name="step/neg" source_file="f.py" source_line=7}
}
)";
/// Two runs with these operations.
inline measured_module two_runs(const std::vector<profile_operation>& operations) {
  measured_module out;
  out.name = "m";
  measured_device& d = out.devices.emplace_back();
  d.module.runs.push_back({0, 1000, 0, 0, 0, 0});
  d.module.runs.push_back({2000, 3000, 0, 0, 0, 0});
  d.module.operations = operations;
  return out;
}

}  // namespace hlolint::testing
