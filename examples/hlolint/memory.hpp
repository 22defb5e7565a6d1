// `hlolint memory`.
#pragma once

#include "arguments.hpp"

#include <hlolint/lint/settings.hpp>

#include <ostream>

/// Writes the view that the options ask for. Returns the exit status.
int show_memory(const arguments& given, const hlolint::rule_settings& settings, std::ostream& out);
