// What `hlolint query` does.
#pragma once

#include "arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

/// Writes what matches and returns the exit status: 0 something does, 1 nothing does, 2 something is wrong.
int show_matches(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);
