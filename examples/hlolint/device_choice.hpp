// The device that times are estimated for: from the command line, a device file, or a file beside the dump.
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/report/time/time_options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The options that choose a device.
struct device_choice {
  std::string name;  ///< a preset or a TOML file; empty = detected
  hlolint::optional<std::int64_t> per_node;
  hlolint::optional<double> network;  ///< GB/s per device
};

/// The device that `--device` names, changed by the other options. Nothing without `--device`, or if it is wrong, which
/// `error` describes.
struct named_device {
  hlolint::optional<hlolint::device> device;
  std::string error;
};
named_device find_named_device(const device_choice& choice);

/// The text of the file beside a module's HLO whose name is the beginning of that of the HLO and this suffix; nothing if
/// there is none.
std::optional<hlolint::source> file_beside(const hlolint::context::parts& module, std::string_view suffix);

/// The device in `PREFIX.gpu_target_config.pbtxt` or `PREFIX.target_arguments.txt` beside a module's HLO; nothing if
/// there is no such file, or it cannot be read.
hlolint::optional<hlolint::device> device_beside(const hlolint::context::parts& module);

/// Gives a module the named device, else the one beside its dump, else a guess (`context::parts::device_evidence`),
/// changed by the other options.
void choose_device(hlolint::context::parts& module, const hlolint::optional<hlolint::device>& named,
                   const device_choice& choice);

/// The device to show times for: the named one, the one beside the dump, a guess from the name of the dump, or one of
/// which only ratios are known.
hlolint::report::shown_device device_for(const hlolint::context& module, const device_choice& choice);
