// The built-in checks behind functions, so that they are compiled in one place only.
#pragma once

#include <hlolint/lint/lint.hpp>
#include <hlolint/report/rule_list.hpp>

#include <vector>

/// All rules, those of reading too.
std::vector<hlolint::rule_entry> known_rules();

/// Which rules run and how. The settings of the rules of reading stand behind those of the checks.
hlolint::chosen_rules choose(const hlolint::rule_choice& said);

/// Whether a finding of a parser is wanted: errors of reading always are.
bool is_wanted(const hlolint::diagnostic& finding, const hlolint::rule_settings& settings);

/// Runs the checks on one module.
hlolint::findings check(const hlolint::context& dump, const hlolint::rule_settings& settings);
