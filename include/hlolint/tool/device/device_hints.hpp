// Guesses the device from a dump: file names, and the needs of the program (time_model.md 2).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// The name of a preset to assume when the user named no device.
struct assumed_device {
  std::string_view name;  ///< for `find_device`
  std::string evidence;   ///< the reason, to be shown since it is a guess
};

/// The least that a device must have to run a program, as far as its dump shows.
struct device_needs {
  byte_count memory = 0;     ///< of the main memory, at least
  bool sparse_core = false;  ///< the program has computations for one
  double printed_rate = 0;   ///< operations of matrix products in a cycle of a TPU, a second of a GPU, as printed
};

/// Whether the times or cycles that a dump prints are possible on a device. They are the compiler's estimates, so a
/// little more than the peak disproves nothing (time_model.md 2, 5).
inline bool can_reach(const device& on, double printed_rate) {
  constexpr double tolerance = 1.25;
  return printed_rate * (on.is_tpu() ? on.clock : 1) <= tolerance * on.f16_flops;
}

/// Whether a device meets the needs of a program.
inline bool can_run(const device& on, const device_needs& needs) {
  const bool has_sparse_core = on.name == "tpu-v5p" || on.name == "tpu-v6e" || on.name == "tpu-7x";
  return (!needs.sparse_core || has_sparse_core) && needs.memory <= usable_memory(on) &&
         can_reach(on, needs.printed_rate);
}

/// The most common device that fits a dump's file name, such as
/// `module_0001.jit_f.sm_9.0a_gpu_after_optimizations.txt`, or else the kind of machine, and can run the program; if
/// none can, the largest. Several models share a compute capability, so even a match is a guess. Nothing for CPU and
/// without any hint.
inline std::optional<assumed_device> assume_device(std::string_view file_name, target kind,
                                                   const device_needs& needs = {}) {
  if (const auto slash = file_name.rfind('/'); slash != std::string_view::npos) file_name.remove_prefix(slash + 1);
  struct hint {
    std::string_view part;
    std::string_view names[4];  ///< the most common one first
  };
  constexpr hint hints[] = {{"sm_7.0", {"v100"}},
                            {"sm_8.0", {"a100-80"}},
                            {"sm_9.0", {"h100-sxm", "h200"}},
                            {"sm_10.0", {"b200", "gb200"}},
                            {"sm_10.3", {"b300", "gb300"}},
                            {"gfx90a", {"mi250x"}},
                            {"gfx942", {"mi300x", "mi325x"}},
                            {"gfx950", {"mi355x"}}};
  constexpr hint tpus{{}, {"tpu-v5e", "tpu-v6e", "tpu-v5p", "tpu-7x"}};
  const hint* known = kind == target::tpu ? &tpus : nullptr;
  for (const hint& h : hints)
    if (file_name.find(h.part) != std::string_view::npos) {
      known = &h;
      break;
    }
  if (!known) return std::nullopt;
  std::string evidence = known == &tpus ? std::string("a TPU of a generation that the dump does not name")
                                        : std::string(known->part) + " in the file name";
  if (needs.sparse_core) evidence += ", with a SparseCore";
  assumed_device out;
  for (const std::string_view name : known->names) {
    if (name.empty()) break;
    out.name = name;
    if (can_run(*find_device(name), needs)) break;
  }
  if (const device first = *find_device(known->names[0]); out.name != first.name) {
    if (needs.memory > usable_memory(first)) evidence += ", for at least " + human(needs.memory) + " of memory";
    if (!can_reach(first, needs.printed_rate))
      evidence += known == &tpus ? ", with too many operations in the printed cycles for a " + first.name
                                 : ", with too many operations in the printed times for a " + first.name;
  }
  out.evidence = std::move(evidence);
  return out;
}

}  // namespace hlolint
