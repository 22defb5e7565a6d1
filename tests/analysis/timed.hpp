// Schedules with times that are easy to add up: what tests of exposed transfers begin with.
#pragma once

#include "module_of.hpp"

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace hlolint::testing {

/// Times that are easy to add up: a matrix product %mm takes 1 ms and a bit, a transfer of 280 MB 1 ms and 40 us.
inline device round_device() {
  device d = find_device("h100-sxm").value();
  d.kernel_overhead = d.matmul_overhead = 0;
  return d;
}

inline constexpr const char* timed_header = "HloModule m, is_scheduled=true, num_partitions=16\n\n";
inline const std::string timed_inputs = "%a = f32[70000000]{0} parameter(0)\n%w = bf16[8192,8192]{1,0} parameter(1)\n";
inline const std::string timed_matmul =
    " = bf16[8192,8192]{1,0} dot(%w, %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
inline const std::string timed_start =
    " = (f32[70000000]{0}, f32[70000000]{0}) collective-permute-start(%a), channel_id=1, "
    "source_target_pairs={{0,1},{1,0}}";
/// The permute of `timed_start` on a SparseCore: its computations, its start, and the update that binds an operand.
inline const std::string offloaded_permute =
    "%inner {\n%p = f32[70000000]{0} parameter(0)\nROOT %x = f32[70000000]{0} collective-permute(%p), channel_id=1, "
    "source_target_pairs={{0,1},{1,0}}\n}, execution_thread=\"sparsecore\"\n\n"
    "%outer {\n%q = f32[70000000]{0} parameter(0)\nROOT %call = f32[70000000]{0} custom-call(%q), "
    "custom_call_target=\"offload\", called_computations={%inner}\n}, execution_thread=\"sparsecore\"\n\n";
inline const std::string offloaded_start =
    " = ((), (), u32[]) async-start(), async_execution_thread=\"sparsecore\", calls=%outer\n";
inline std::string offloaded_update(const std::string& start, const std::string& operand) {
  return " = ((f32[70000000]{0}), f32[70000000]{0}, u32[]) async-update(" + start + ", " + operand + ")\n";
}
inline constexpr double matmul_time = 2.0 * 8192 * 8192 * 8192 / (989e12 * 0.8), permute_time = 280e6 / 280e9 + 40e-6;

struct timed {
  hlo_module module;
  std::unique_ptr<exposed_time> time;
  const exposed_transfer& of(std::string_view name) const {
    for (const exposed_transfer& t : time->transfers())
      if (t.start.name() == name) return t;
    throw std::runtime_error("no transfer " + std::string(name));
  }
};
inline timed time_of(const std::string& text, const device& on = round_device(), assumed_trips trips = {}) {
  timed out{module_of(timed_header + text), nullptr};
  out.time = std::make_unique<exposed_time>(out.module, on, trips);
  return out;
}
inline timed entry(const std::string& lines, const std::string& before = {}) {
  return time_of(before + "ENTRY %e {\n" + timed_inputs + lines + "}\n");
}

}  // namespace hlolint::testing
