// What the names of dump files show of the device (time_model.md 2).
#pragma once

#include <hlolint/ir/target.hpp>

#include <optional>
#include <string_view>

namespace hlolint {

/// The name of a preset to assume when the user named no device.
struct assumed_device {
  std::string_view name;  ///< for `find_device`
  std::string_view evidence;  ///< what it follows from, to be shown: it is a guess
  friend bool operator==(const assumed_device&, const assumed_device&) = default;
};

/// From a dump's file name, such as `module_0001.jit_f.sm_9.0a_gpu_after_optimizations.txt`, else from the kind of
/// machine. Several models share a compute capability, so even a match is a guess. Nothing for CPU and where there is
/// no hint at all.
inline std::optional<assumed_device> assume_device(std::string_view file_name, target kind) {
  if (const auto slash = file_name.rfind('/'); slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  struct hint {
    std::string_view part;
    assumed_device assumed;
  };
  constexpr hint hints[] = {
      {"sm_7.0", {"v100", "sm_7.0 in the file name"}},     {"sm_8.0", {"a100-80", "sm_8.0 in the file name"}},
      {"sm_9.0", {"h100-sxm", "sm_9.0 in the file name"}}, {"sm_10.0", {"b200", "sm_10.0 in the file name"}},
      {"sm_10.3", {"b200", "sm_10.3 in the file name"}},   {"gfx90a", {"mi250x", "gfx90a in the file name"}},
      {"gfx942", {"mi300x", "gfx942 in the file name"}},   {"gfx950", {"mi355x", "gfx950 in the file name"}}};
  for (const hint& h : hints)
    if (file_name.find(h.part) != std::string_view::npos) return h.assumed;
  if (kind == target::tpu) return assumed_device{"tpu-v5e", "a TPU of a generation that the dump does not name"};
  return std::nullopt;
}

}  // namespace hlolint
