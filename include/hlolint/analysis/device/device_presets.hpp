// Devices by name, with the source of each figure (time_model.md 1).
#pragma once

#include <hlolint/analysis/device/device.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint {

namespace detail {

// Sources of figures. x: XLA's device file (target_config/specs); v: the vendor's number, as other public pages repeat
// it; c: Google Cloud's page of the generation; j: JAX's tpu_info.py; b: "How to Scale Your Model"; m: fitted to XLA's
// own measurements (default_collective_perf_table, default_matmul_perf_table); g: guessed from a related device.

/// Units of the table: 10^12 operations, 10^9 bytes, 10^9 cycles per second.
struct gpu_figures {
  std::string_view name;
  hlolint::fabric fabric;
  double f16, f8, f32, f64, vector;  ///< matrix units by type, vector f32
  double memory_rate, memory_size;   ///< HBM
  double bus, pair, network, host;   ///< usable
  std::int64_t domain;
  double clock, efficiency, f32_efficiency;
};

inline constexpr std::array<gpu_figures, 15> gpu_presets{{
    // v; memory x; links m scaled from H100, g; network and host v; clock x
    {"v100", fabric::nvlink_switch, 125, 0, 0, 7.8, 15.7, 898, 16, 130, 120, 11, 11, 8, 1.53, 0.80, 0.65},
    // rates x; links m scaled from H100, confirmed by measured FFTs (3.8); network and host v; clock x
    {"a100-40", fabric::nvlink_switch, 312, 0, 156, 19.5, 19.5, 1555, 42.3, 250, 225, 22.5, 22, 8, 1.41, 0.80, 0.65},
    {"a100-80", fabric::nvlink_switch, 312, 0, 156, 19.5, 19.5, 2039, 85.1, 250, 225, 22.5, 22, 8, 1.41, 0.80, 0.65},
    // rates x; links and efficiencies m; network and host v; clock x
    {"h100-sxm", fabric::nvlink_switch, 989, 1979, 494, 67, 67, 3352, 84.9, 375, 280, 45, 50, 8, 1.98, 0.80, 0.65},
    // rates x; links v (PCIe 5 x16) with g for what is usable; clock x
    {"h100-pcie", fabric::pcie, 756, 1513, 378, 51, 51, 2039, 84.9, 45, 45, 45, 50, 2, 1.755, 0.80, 0.65},
    // rates x; links m of H100; clock x
    {"h200", fabric::nvlink_switch, 989, 1979, 494, 67, 67, 4800, 151, 375, 280, 45, 50, 8, 1.98, 0.80, 0.65},
    // rates x; links and efficiencies m; network v; clock x
    {"b200", fabric::nvlink_switch, 2225, 4450, 1112, 37, 74, 7672, 191, 660, 525, 45, 50, 8, 1.965, 0.65, 0.70},
    // rates x; links and efficiencies m; network v; host g (NVLink-C2C; XLA's file has 2); clock x
    {"gb200", fabric::nvlink_switch, 2398, 4796, 1199, 40, 80, 7928, 198, 690, 650, 45, 180, 72, 2.062, 0.65, 0.70},
    // rates and memory v; links, efficiencies, network and clock g from b200 and gb200
    {"b300", fabric::nvlink_switch, 2250, 4500, 1125, 1.2, 76, 7700, 288, 660, 525, 90, 50, 8, 1.92, 0.65, 0.70},
    {"gb300", fabric::nvlink_switch, 2500, 5000, 1250, 1.3, 80, 7928, 288, 690, 650, 90, 180, 72, 2.06, 0.65, 0.70},
    // rates v (one of two devices of a card); memory x; links g; clock x
    {"mi250x", fabric::full_mesh, 191.5, 0, 47.9, 47.9, 23.9, 1638, 67.6, 90, 37, 22.5, 22, 8, 1.70, 0.60, 0.60},
    // rates v; links g scaled from MI355X; efficiencies g; clock v
    {"mi300x", fabric::full_mesh, 1307, 2615, 654, 163, 163, 5300, 192, 336, 48, 45, 50, 8, 2.1, 0.50, 0.50},
    {"mi325x", fabric::full_mesh, 1307, 2615, 654, 163, 163, 6000, 256, 336, 48, 45, 50, 8, 2.1, 0.50, 0.50},
    // rates v; memory and clock x; links and efficiencies g from MI355X
    {"mi350x", fabric::full_mesh, 2300, 4600, 144, 72, 144, 6810, 288, 440, 64, 45, 50, 8, 2.2, 0.45, 0.80},
    // rates v, not confirmed (XLA's MI350X file: memory 6810, clock 2.2); links and efficiencies m
    {"mi355x", fabric::full_mesh, 2517, 5033, 157, 79, 157, 8000, 288, 440, 64, 45, 50, 8, 2.4, 0.45, 0.80},
}};

struct tpu_figures {
  std::string_view name;
  double f16;
  double s8, f8, e4m3;  ///< rates of 8-bit products, relative to bf16 (time_model.md 1)
  double memory_rate, memory_size, link, network, host, clock;
  std::int64_t matrix_unit;
  double usable;        ///< GiB of HBM that the run time leaves to programs: their compiler prints it (oom_logs.md 1)
  std::int64_t vmem;    ///< MiB, of all cores of the device together
  std::int64_t cores;   ///< of the device
  std::int64_t scoped;  ///< MiB of it that a kernel gets by default (oom_logs.md T2)
  std::int64_t wraps_from;             ///< devices of the smallest slice that has closed axes
  bool flat;                           ///< slices are rectangles of devices
  std::int64_t per_chip;               ///< devices of a chip
  double vector_pace, shuffle_cycles;  ///< by the bundles of compiled programs (time_model.md 4.5)
  double reading, writing;             ///< nanoseconds until the first bytes of HBM are there (time_model.md 4.5)
};

// Closed axes (b; of v2, v3 and 7x g): 16 chips along one side of v2, v5e and v6e (8x16), 32 of v3 (16x32), 4x4x4 chips
// of v4, v5p and 7x. A device of v2, v3 and 7x is half a chip.
inline constexpr std::array<tpu_figures, 7> tpu_presets{{
    // One core of two: rates and memory j; links g from v3; network b; clock from peak / matrix units
    {"tpu-v2", 23, 1, 1, 1, 358, 8, 62, 3.1, 15, 0.70, 128, 7.48, 16, 1, 16, 256, false, 2, 1, 4.2, 420, 340},
    // One core of two: rates and memory c; links v (656 Gb/s); network b
    {"tpu-v3", 61.5, 1, 1, 1, 450, 16, 82, 3.1, 15, 0.94, 128, 15.48, 16, 1, 16, 1024, false, 2, 1, 4.2, 420, 340},
    // The chip, two cores as one: rates and memory c, j; links b; network b
    {"tpu-v4", 275, 1, 1, 1, 1228, 34, 45, 6.2, 15, 1.05, 128, 30.75, 32, 2, 16, 64, false, 1, 0.5, 2.1, 420, 340},
    // rates and memory c, j; links b; network c (2 x 100 Gb/s for 8 chips); clock b
    {"tpu-v5e", 197, 2, 1.1, 0.94, 819, 17, 45, 3.1, 15, 1.50, 128, 15.75, 128, 1, 16, 128, true, 1, 1, 4.2, 755, 305},
    // The chip, two cores as one: rates and memory c, j; links b; network b
    {"tpu-v5p", 459, 2, 1.7, 0.94, 2765,  103, 90,  6.2, 15,  1.75, 128,
     95.74,     128, 2, 16,  64,   false, 1,   0.5, 2.1, 420, 340},
    // rates and memory c, j; links b; network g; clock from peak / matrix units, 1.70 measured
    {"tpu-v6e", 918, 2, 1,  0.6, 1638, 34, 90,   12.5, 30,  1.75, 256,
     31.25,     128, 1, 32, 128, true, 1,  0.55, 3.2,  320, 270},
    // One of two devices of a chip: rates c; memory j; links g (shared by two devices); network, clock g
    {"tpu-7x", 1153, 1, 2, 2, 3690, 103, 90, 6.2, 15, 2.2, 256, 94.75, 64, 1, 32, 128, false, 2, 0.55, 3.2, 320, 280},
}};

/// Null if no TPU has that name.
constexpr const tpu_figures* find_tpu(std::string_view name) {
  for (const tpu_figures& known : tpu_presets)
    if (known.name == name) return &known;
  return nullptr;
}

inline constexpr double tera = 1e12, giga = 1e9;
/// What the figures of a GPU and of a TPU have in common.
device with_common_figures(const auto& f) {
  device d;
  d.name = f.name;
  d.f16_flops = f.f16 * tera, d.clock = f.clock * giga;
  d.memory_rate = f.memory_rate * giga, d.memory_size = static_cast<std::int64_t>(f.memory_size * giga);
  d.host_rate = f.host * giga, d.network_rate = f.network * giga;
  return d;
}

inline device make_device(const gpu_figures& f) {
  device d = with_common_figures(f);
  d.fabric = f.fabric;
  d.f8_flops = f.f8 * tera, d.f32_flops = f.f32 * tera, d.f64_flops = f.f64 * tera, d.vector_ops = f.vector * tera;
  // XLA: GpuAllocatorConfig::memory_fraction; JAX: XLA_CLIENT_MEM_FRACTION. With and without preallocation.
  d.memory_share = 0.75;
  d.bus_rate = f.bus * giga, d.pair_rate = f.pair * giga, d.domain_size = f.domain;
  d.matmul_efficiency = f.efficiency, d.f32_matmul_efficiency = f.f32_efficiency;
  return d;
}

inline device make_device(const tpu_figures& f) {
  device d = with_common_figures(f);
  d.fabric = fabric::torus;
  d.s8_flops = f.s8 * d.f16_flops, d.f8_flops = f.f8 * d.f16_flops, d.e4m3_flops = f.e4m3 * d.f16_flops;
  d.f32_flops = d.f16_flops;                                       // f32 in one pass of bf16
  d.vector_ops = d.f16_flops / 60, d.matrix_unit = f.matrix_unit;  // the ratio is g
  d.bus_rate = d.pair_rate = f.link * giga;
  d.torus_wraps_from = f.wraps_from, d.flat_slices = f.flat, d.devices_per_chip = f.per_chip;
  d.f32_matmul_efficiency = d.matmul_efficiency, d.memory_efficiency = 0.90;
  d.vector_pace = f.vector_pace, d.shuffle_cycles = f.shuffle_cycles;
  d.kernel_overhead = f.reading / giga, d.write_overhead = f.writing / giga, d.matmul_overhead = 0;
  return d;
}

}  // namespace detail

/// Calls `f(name)` for all presets.
void for_each_device_name(auto&& f) {
  for (const detail::gpu_figures& g : detail::gpu_presets) f(g.name);
  for (const detail::tpu_figures& t : detail::tpu_presets) f(t.name);
}

namespace detail {

/// Other names of presets: those of JAX (`jax.devices()[0].device_kind`, and of topologies) and of their makers.
struct device_alias {
  std::string_view preset;
  std::array<std::string_view, 6> names;  ///< in small letters; empty: no more
};
inline constexpr device_alias device_aliases[] = {
    {"tpu-v2", {"v2", "tpu v2"}},
    {"tpu-v3", {"v3", "tpu v3"}},
    {"tpu-v4", {"v4", "tpu v4"}},
    {"tpu-v5e", {"v5e", "tpu v5e", "tpu v5 lite"}},
    {"tpu-v5p", {"v5p", "tpu v5p", "tpu v5"}},
    {"tpu-v6e", {"v6e", "tpu v6e", "tpu v6 lite", "trillium"}},
    {"tpu-7x", {"7x", "tpu 7x", "tpu7x", "tpu v7x", "tpu-v7x", "ironwood"}},
    {"a100-40", {"nvidia a100-sxm4-40gb"}},
    {"a100-80", {"nvidia a100-sxm4-80gb"}},
    {"h100-sxm", {"nvidia h100 80gb hbm3"}},
    {"h100-pcie", {"nvidia h100 pcie"}},
    {"h200", {"nvidia h200"}},
    {"b200", {"nvidia b200"}},
    {"gb200", {"nvidia gb200"}},
    {"b300", {"nvidia b300"}},
    {"gb300", {"nvidia gb300"}},
    {"mi250x", {"amd instinct mi250x"}},
    {"mi300x", {"amd instinct mi300x"}},
    {"mi325x", {"amd instinct mi325x"}},
    {"mi350x", {"amd instinct mi350x"}},
    {"mi355x", {"amd instinct mi355x"}},
};

/// Whether a name is another one of small letters, in any case.
constexpr bool is_same_name(std::string_view given, std::string_view small) {
  if (given.size() != small.size()) return false;
  for (std::size_t k = 0; k < given.size(); ++k) {
    const char c = given[k] >= 'A' && given[k] <= 'Z' ? static_cast<char>(given[k] - 'A' + 'a') : given[k];
    if (c != small[k]) return false;
  }
  return true;
}

}  // namespace detail

/// The preset with this name, or with the one that JAX or its maker calls it, in any case; nothing if there is none.
inline std::optional<device> find_device(std::string_view name) {
  for (const detail::device_alias& known : detail::device_aliases)
    for (const std::string_view other : known.names)
      if (!name.empty() && detail::is_same_name(name, other)) name = known.preset;
  for (const detail::gpu_figures& g : detail::gpu_presets)
    if (detail::is_same_name(name, g.name)) return detail::make_device(g);
  if (const detail::tpu_figures* const t = detail::find_tpu(name)) return detail::make_device(*t);
  return std::nullopt;
}

/// A nameless device for dumps whose device is unknown. Its rates have the ratios of common devices, so that work and
/// transfers can be compared; its times mean nothing. Eight devices are in one domain, as with common GPUs; nothing has
/// a latency.
inline device relative_device(bool tpu = false) {
  device d = *find_device(tpu ? "tpu-v5e" : "h100-sxm");
  d.name.clear();
  d.kernel_overhead = d.write_overhead = d.matmul_overhead = d.latency_factor = 0;
  return d;
}

}  // namespace hlolint
