// `hlolint memory`.
#pragma once

#include "../settings/arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

namespace hlolint::command {

/// Writes the view that the options ask for. Returns the exit status.
int show_memory(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);

}  // namespace hlolint::command
