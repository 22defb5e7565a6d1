// Which preset a device of a profile is (profiles.md 6.1, time_model.md 1).
#pragma once

#include <hlolint/profile/profile.hpp>

#include <string_view>

namespace hlolint {

/// The name of a preset for `find_device`, by the type that a TPU names, else by the vendor, the multiprocessors and
/// the memory of a GPU; empty if none fits.
inline std::string_view preset_of(const device_peaks& peaks) {
  struct tpu {
    std::string_view type, name;
  };
  constexpr tpu tpus[] = {{"TPU v2", "tpu-v2"},       {"TPU v3", "tpu-v3"},       {"TPU v4", "tpu-v4"},
                          {"TPU v5 lite", "tpu-v5e"}, {"TPU v5 Lite", "tpu-v5e"}, {"TPU v5e", "tpu-v5e"},
                          {"TPU v5p", "tpu-v5p"},     {"TPU v5", "tpu-v5p"},      {"TPU v6 Lite", "tpu-v6e"},
                          {"TPU v6 lite", "tpu-v6e"}, {"TPU v6e", "tpu-v6e"},     {"TPU v7x", "tpu-7x"},
                          {"TPU7x", "tpu-7x"}};
  for (const tpu& t : tpus)
    if (peaks.type == t.type) return t.name;
  struct gpu {
    std::string_view vendor, name;
    unsigned cores;
    double least_memory;  // bytes, more first
  };
  constexpr gpu gpus[] = {
      {"Nvidia", "v100", 80, 0},      {"Nvidia", "a100-80", 108, 60e9}, {"Nvidia", "a100-40", 108, 0},
      {"Nvidia", "h200", 132, 120e9}, {"Nvidia", "h100-sxm", 132, 0},   {"Nvidia", "h100-pcie", 114, 0},
      {"Nvidia", "b200", 148, 0},     {"Nvidia", "gb200", 152, 0},      {"AMD", "mi325x", 304, 240e9},
      {"AMD", "mi300x", 304, 0},      {"AMD", "mi355x", 256, 0},        {"AMD", "mi250x", 104, 0}};
  for (const gpu& g : gpus)
    if (peaks.type == g.vendor && peaks.cores == g.cores && peaks.memory_size >= g.least_memory) return g.name;
  return {};
}

}  // namespace hlolint
