// The memory spaces that XLA knows by number: its colours, and S(...) in layouts.
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstdint>
#include <string>
#include <string_view>

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

namespace detail {

inline byte_count usable_bytes(const tpu_figures& of) {
  return static_cast<byte_count>(of.usable * 1024 * 1024 * 1024);
}

}  // namespace detail

/// The TPU whose compiler prints that capacity, such as `95.74G`; empty if none is known.
inline std::string_view device_of_capacity(std::string_view printed) {
  const std::string size = std::string(printed) + "iB";
  for (const detail::tpu_figures& known : detail::tpu_presets)
    if (human(detail::usable_bytes(known)) == size) return known.name;
  return {};
}

/// Bytes of a device's main memory that programs can have: what a TPU's compiler prints as its capacity, and all of the
/// memory of other devices, also what XLA leaves free unless the user asks for it (`device::memory_share`). 0 if it is
/// not known which device it is.
inline byte_count usable_memory(const device& on) {
  if (on.is_relative()) return 0;
  if (const detail::tpu_figures* const tpu = detail::find_tpu(on.name)) return detail::usable_bytes(*tpu);
  return on.memory_size;
}

/// Bytes of one memory space of a device: of the main one what `usable_memory` gives, of VMEM what all cores of the
/// device have together (time_model.md 1). Of a TPU of an unknown generation the VMEM of the common ones. 0 if it is
/// not known.
inline byte_count memory_space_capacity(target on, const device& of, std::int64_t color) {
  if (color == 0) return usable_memory(of);
  if (color != 1 || on != target::tpu) return 0;
  const detail::tpu_figures* const tpu = detail::find_tpu(of.name);
  return tpu ? tpu->vmem * 1024 * 1024 : 128_MiB;
}

}  // namespace hlolint
