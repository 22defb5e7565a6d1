// The memory spaces that XLA knows by number: its colours, and S(...) in layouts.
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// `HBM`, `VMEM`, `host`, as the makers of the devices call them; `color 3` where a number means nothing in public.
inline std::string memory_space_name(target on, std::int64_t color) {
  if (color == 5 && on != target::unknown) return "host";
  if (on == target::tpu && color == 0) return "HBM";
  if (on == target::tpu && color == 1) return "VMEM";
  if (on == target::tpu && color == 2) return "SMEM";
  if (on == target::gpu && color == 0) return "HBM";
  if (on == target::cpu && color == 0) return "host";
  return "color " + std::to_string(color);
}

/// The HBM of a TPU that programs can have: what is left of it after the run time's reserve.
struct tpu_capacity {
  std::string_view device;   ///< its name
  std::string_view printed;  ///< by its compiler, in GiB
  double gibibytes = 0;      ///< the same number
};
/// From the reports of the compiler (oom_logs.md, T1).
inline constexpr tpu_capacity tpu_capacities[] = {
    {"tpu-v2", "7.48G", 7.48},     {"tpu-v3", "15.48G", 15.48},   {"tpu-v4", "30.75G", 30.75},
    {"tpu-v5e", "15.75G", 15.75},  {"tpu-v5p", "95.74G", 95.74},  {"tpu-v6e", "31.25G", 31.25},
    {"tpu-7x", "94.75G", 94.75}};

/// The device with that capacity; empty if none is known.
constexpr std::string_view device_of_capacity(std::string_view printed) {
  for (const tpu_capacity& known : tpu_capacities)
    if (known.printed == printed) return known.device;
  return {};
}

/// Bytes of a device's main memory that programs can have: what a TPU's compiler prints as its capacity, and all of the
/// memory of other devices, also what XLA leaves free unless the user asks for it (`device::memory_share`). 0 if it is
/// not known which device it is.
inline byte_count usable_memory(const device& on) {
  if (on.is_relative()) return 0;
  for (const tpu_capacity& known : tpu_capacities)
    if (on.name == known.device) return static_cast<byte_count>(known.gibibytes * 1024 * 1024 * 1024);
  return on.memory_size;
}

/// Bytes of one memory space of a device: of the main one what `usable_memory` gives, of VMEM what all cores of the
/// device have together (time_model.md 1). Of a TPU of an unknown generation the VMEM of the common ones. 0 if it is
/// not known.
inline byte_count memory_space_capacity(target on, const device& of, std::int64_t color) {
  if (color == 0) return usable_memory(of);
  if (color != 1 || on != target::tpu) return 0;
  constexpr std::pair<std::string_view, byte_count> mebibytes[] = {
      {"tpu-v2", 16}, {"tpu-v3", 16}, {"tpu-v4", 32}, {"tpu-7x", 64}};
  for (const auto& [name, size] : mebibytes)
    if (of.name == name) return size * 1024 * 1024;
  return byte_count{128} * 1024 * 1024;
}

}  // namespace hlolint
