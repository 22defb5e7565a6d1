// The device that times are estimated for: from the command line, a device file, or a file beside the dump.
#pragma once

#include "../reading/packed_files.hpp"

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/tool/report/time/time_options.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hlolint::command {

/// The options that choose a device.
struct device_choice {
  std::string name;  ///< a preset or a TOML file; empty = detected
  std::optional<std::int64_t> per_node;
  std::optional<double> network;  ///< GB/s per device
  /// The hardware of the profile: of modules whose files do not show theirs.
  std::optional<hlolint::target> profiled_on;
  bool is_of_profile = false;  ///< the profile names the device: it counts for modules of its hardware
  /// Of modules of its hardware without a device; in a comparison, that of the other side.
  std::optional<hlolint::device> fallback;
};

/// The device that `--device` names, changed by the other options. Nothing without `--device`, or if it is wrong, which
/// `error` describes.
struct named_device {
  std::optional<hlolint::device> device;
  std::string error;
};
named_device find_named_device(const device_choice& choice);

/// Gives a module the named device, else the one that the files beside its dump describe (facts_beside.hpp). A module
/// whose files do not show its target gets that of the device or of the profile.
void choose_device(hlolint::context::parts& module, const std::optional<hlolint::device>& named,
                   const device_choice& choice, const packed_files* packed);

/// The module on its device, else on a guess (`context::parts::device_evidence`), changed by the other options.
std::shared_ptr<const hlolint::context> module_on_device(hlolint::context::parts module, const device_choice& choice,
                                                         const packed_files* packed);

/// The device to show times for: the named one, the one beside the dump, a guess from the name of the dump, or one of
/// which only ratios are known.
hlolint::report::shown_device device_for(const hlolint::context& module, const device_choice& choice);

}  // namespace hlolint::command
