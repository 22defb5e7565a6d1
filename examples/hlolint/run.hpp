// What `hlolint lint`, `hlolint parse` and all that reads dumps do.
#pragma once

#include "arguments.hpp"

#include <hlolint/lint/settings.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/report/run_result.hpp>

#include <functional>

/// Reads the paths and calls `each` with every module.
hlolint::run_result read_modules(const arguments& said, const hlolint::rule_settings& settings,
                                 const std::function<void(const hlolint::context&, hlolint::run_result&)>& each);

/// Reads the paths, and checks what was read unless only reading was asked for.
hlolint::run_result run(const arguments& said, const hlolint::rule_settings& settings);

/// 2 if something could not be read, else 1 if a finding is at the level of --fail-on or above.
int exit_status(const hlolint::run_result& result, const arguments& said);
