// The built-in checks behind functions, so that they are compiled in one place only.
#pragma once

#include "configuration.hpp"

#include <hlolint/lint/lint.hpp>
#include <hlolint/report/rule_list.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// All rules, those of reading too.
std::vector<hlolint::rule_entry> known_rules();

/// Which rules run and how. The settings of the rules of reading stand behind those of the checks. Rules that compare
/// the ranks of a job run where there are some; elsewhere only if their id or name is given, which makes the report say
/// why not.
hlolint::chosen_rules choose(const hlolint::rule_choice& given, bool with_ranks);

/// Whether a finding of a parser is wanted: errors of reading always are.
bool is_wanted(const hlolint::diagnostic& finding, const hlolint::rule_settings& settings);

/// Whether the rule of this id is on.
bool is_on(std::string_view rule_id, const hlolint::rule_settings& settings);

/// Whether a rule that is on compares modules with what they were before XLA optimized them.
bool want_earlier_stages(const hlolint::rule_settings& settings);

/// The checks as they were set.
class configured_checks {
 public:
  explicit configured_checks(const configuration& given);
  ~configured_checks();
  /// What is wrong with options of rules, one line each.
  const std::vector<std::string>& errors() const;
  /// Runs the checks on one module. Several threads may do so at the same time.
  hlolint::findings operator()(const hlolint::context& dump, const hlolint::rule_settings& settings) const;

 private:
  struct content;
  std::unique_ptr<content> content_;
};
