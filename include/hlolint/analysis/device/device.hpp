// The device for which times are estimated: rates, memory and links (time_model.md 1).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace hlolint {

/// How the devices of one fast domain are connected; selects the formula of time_model.md 3.
enum class fabric : std::uint8_t {
  nvlink_switch,  ///< every pair at full rate: NVIDIA SXM hosts and racks
  full_mesh,      ///< one link for each pair: AMD hosts
  pcie,           ///< one shared bus
  torus           ///< rings along the axes of a torus: TPU
};

/// The devices that a program was compiled for, as far as files beside its dump list them.
struct device_slice {
  std::array<std::int64_t, 3> chips{};  ///< of a TPU's torus, along x, y and z; 0: not known
  std::array<bool, 3> closed{};         ///< which of these axes form rings
  std::vector<std::int64_t> ids;  ///< the device of each replica * num_partitions + partition; empty: the same number
  friend bool operator==(const device_slice&, const device_slice&) = default;
};

/// One XLA device. Rates are per second: operations, bytes per direction; times are in seconds, sizes in bytes. A rate
/// of 0 means that the device has no such unit. Regular, so that a user's own device is a changed copy of a preset.
struct device {
  std::string name;                                ///< empty: see `is_relative`
  hlolint::fabric fabric = fabric::nvlink_switch;  ///< selects the formula of time_model.md 3

  // Arithmetic, dense, at the peak. A multiplication counts as two operations.
  double f16_flops = 0;          ///< matrix units, f16 and bf16
  double f8_flops = 0;           ///< matrix units, 8-bit types
  double s8_flops = 0;           ///< matrix units, 8-bit integers; 0: as `f8_flops`
  double e4m3_flops = 0;         ///< matrix units, f8e4m3; 0: as `f8_flops`
  double f32_flops = 0;          ///< matrix units, f32 (TF32 on GPU, one bf16 pass on TPU)
  double f64_flops = 0;          ///< matrix units, f64
  double vector_ops = 0;         ///< f32 outside of the matrix units
  double clock = 0;              ///< cycles per second, for printed cycles
  std::int64_t matrix_unit = 0;  ///< side of a systolic array, which multiplies whole tiles; 0 on GPU
  double vector_pace = 1;        ///< of a TPU: cycles of vector work, relative to a v5e
  double shuffle_cycles = 4;     ///< of a TPU: to give a register of 32-bit values another layout

  // Memory.
  double memory_rate = 0;            ///< to and from HBM
  std::int64_t memory_size = 0;      ///< bytes of HBM; 0 = not known
  double memory_share = 1;           ///< the part of it that programs get unless the user sets another
  std::int64_t reserved_memory = 0;  ///< bytes of it that the program has to leave free
  double host_rate = 0;              ///< to or from the host's memory, usable

  // Usable rates of links.
  double bus_rate = 0;      ///< inside a domain, from a device to all others (switch, mesh, PCIe)
  double pair_rate = 0;     ///< inside a domain, from a device to one other; in a torus: one link
  double network_rate = 0;  ///< between domains, per device
  std::int64_t domain_size = std::numeric_limits<std::int64_t>::max();  ///< devices with one fast fabric
  int torus_axes = 1;                                                   ///< axes of the torus that a group spans
  bool flat_slices = false;  ///< whether devices lie in rectangles: 2x2, 2x4, 4x4 and so on
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();  ///< for `torus_wraps_from`
  std::int64_t torus_wraps_from = 1;  ///< devices of the smallest slice whose axes form rings
  std::int64_t devices_per_chip = 1;  ///< with consecutive numbers
  device_slice slice;                 ///< what is known of the other devices of the program

  // Efficiencies, as parts of the peak, and overheads (time_model.md 1, 4.2).
  double matmul_efficiency = 0.80;      ///< of `f16_flops`, `f8_flops`, `f64_flops`
  double f32_matmul_efficiency = 0.65;  ///< of `f32_flops`
  double attention_efficiency = 0.50;   ///< of attention and other hand-written kernels
  double memory_efficiency = 0.85;      ///< of `memory_rate`
  double kernel_overhead = 2e-6;        ///< of every kernel; on a TPU the latency of reading HBM
  double write_overhead = 0;            ///< on a TPU the latency of writing HBM
  double matmul_overhead = 3e-6;        ///< of a matrix product, in addition
  double latency_factor = 1;            ///< scales the latency of transfers; 0: only bytes take time

  /// Whether it is a TPU; only TPUs form a torus.
  bool is_tpu() const { return fabric == fabric::torus; }
  /// Whether the device is unknown, so that only the ratios of its rates are meaningful.
  bool is_relative() const { return name.empty(); }

  friend bool operator==(const device&, const device&) = default;
};

/// The device as a TPU's compiler schedules for it: at the peak of the matrix units and of HBM, without the wait for
/// the first bytes (time_model.md 4.5). A GPU's compiler schedules no cycles.
inline device as_scheduled(device d) {
  constexpr double issued = 0.97;  // of the cycles of a matrix product, the rest fills and drains the units
  if (!d.is_tpu()) return d;
  d.matmul_efficiency = d.f32_matmul_efficiency = issued, d.memory_efficiency = 1;
  d.kernel_overhead = d.write_overhead = 0;
  return d;
}

}  // namespace hlolint
