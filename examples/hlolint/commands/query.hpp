// `hlolint query`.
#pragma once

#include "../settings/arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

namespace hlolint::command {

/// Writes the instructions that match. Returns the exit status: 0 some match, 1 none does, 2 error.
int show_matches(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);

}  // namespace hlolint::command
