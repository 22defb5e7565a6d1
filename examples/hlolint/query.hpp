// `hlolint query`.
#pragma once

#include "arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

/// Writes the instructions that match. Returns the exit status: 0 some match, 1 none does, 2 error.
int show_matches(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);
