// What `hlolint time` does.
#pragma once

#include "arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

/// Writes what is asked for and returns the exit status.
int show_time(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);
