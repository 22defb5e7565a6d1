// `hlolint show`.
#pragma once

#include "../settings/arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

namespace hlolint::command {

/// Writes all facts about one instruction, value, allocation, computation, line or weight to `out`. Returns the exit
/// status: 2 if nothing has the name, or more than one thing does.
int show_thing(const arguments& given, const hlolint::rule_settings& settings, const configured_checks& checks,
               std::ostream& out);

}  // namespace hlolint::command
