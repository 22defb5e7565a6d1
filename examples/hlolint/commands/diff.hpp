// `hlolint diff`.
#pragma once

#include "../settings/arguments.hpp"
#include "../settings/checks.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

namespace hlolint::command {

/// Compares the two sides and writes the changes. Returns the exit status: 1 if anything is worse.
int show_diff(const arguments& given, const hlolint::rule_settings& settings, const configured_checks& checks,
              std::ostream& out);

}  // namespace hlolint::command
