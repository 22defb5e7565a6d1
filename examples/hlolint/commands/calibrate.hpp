// `hlolint calibrate`: a device file from profiles, or from the time of one step.
#pragma once

#include "../settings/arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <iosfwd>

namespace hlolint::command {

/// Writes the TOML of a device. Returns the exit status.
int write_calibration(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);

}  // namespace hlolint::command
