// What `hlolint lint` and `hlolint parse` do.
#pragma once

#include "arguments.hpp"

#include <hlolint/lint/settings.hpp>
#include <hlolint/report/run_result.hpp>

/// Reads the paths, and checks what was read unless only reading was asked for.
hlolint::run_result run(const arguments& said, const hlolint::rule_settings& settings);

/// 2 if something could not be read, else 1 if a finding is at the level of --fail-on or above.
int exit_status(const hlolint::run_result& result, const arguments& said);
