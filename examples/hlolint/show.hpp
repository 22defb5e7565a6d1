// `hlolint show`.
#pragma once

#include "arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

/// Writes what is known of one instruction, value, allocation, computation, line or weight to `out`. Returns the exit
/// status: 2 if there is nothing of that name, or several things.
int show_thing(const arguments& given, const hlolint::rule_settings& settings, const configured_checks& checks,
               std::ostream& out);
