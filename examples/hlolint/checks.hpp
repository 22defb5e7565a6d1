// The checks that the command runs, of whatever types, behind functions: each catalogue is compiled in one place only.
#pragma once

#include "configuration.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/report/rule_list.hpp>
#include <hlolint/text/record_list.hpp>

#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

/// A rule and what its check needs.
struct needed_rule {
  hlolint::rule about;
  hlolint::need needs = hlolint::need::nothing;
};

/// A catalogue of any type. catalogue_part.hpp makes one.
class checks_part {
 public:
  virtual ~checks_part() = default;
  virtual std::unique_ptr<checks_part> copy() const = 0;
  /// In the order of the catalogue.
  virtual hlolint::record_list<needed_rule> rules() const = 0;
  /// The same rules with their options.
  virtual hlolint::record_list<hlolint::report::rule_entry> entries() const = 0;
  /// What is wrong with an option of one of these rules; nothing if it was set.
  virtual hlolint::optional<std::string> set_option(const option_setting& option) = 0;
  /// False if none of the checks is about contracts.
  virtual bool set_contracts(const hlolint::record_list<hlolint::module_contract>& contracts) = 0;
  /// Passes what is found to `report` and returns what could not be checked. `settings` has one entry for each rule.
  virtual hlolint::record_list<hlolint::skipped_check> run(const hlolint::context& dump,
                                                           hlolint::diagnostic_sink_ref report,
                                                           const hlolint::rule_settings& settings) const = 0;
};

/// All checks that a command has, in parts that were compiled apart.
class command_checks {
 public:
  explicit command_checks(hlolint::record_list<std::shared_ptr<const checks_part>> parts);
  const hlolint::record_list<std::shared_ptr<const checks_part>>& parts() const { return parts_; }
  /// Of all parts, in order.
  const hlolint::record_list<needed_rule>& rules() const { return rules_; }

 private:
  hlolint::record_list<std::shared_ptr<const checks_part>> parts_;
  hlolint::record_list<needed_rule> rules_;
};

/// The catalogue of hlolint.
const command_checks& built_in_checks();

/// Does what the words of the command line ask for, with these checks. Returns the exit status: 0 no findings at the
/// level of --fail-on or above, 1 findings, 2 unreadable input or wrong usage. No exception leaves it.
int hlolint_command(int count, char** words, const command_checks& checks);

/// The same for a program that is more than the command: the paths of `at_hand` stand for dumps that were parsed
/// already, or for `ranks` for texts of digests; what goes to standard output otherwise goes to `output`, and
/// complaints to `errors`.
int hlolint_command(int count, char** words, const command_checks& checks,
                    std::map<std::string, hlolint::parsed_file> at_hand, std::ostream& output, std::ostream& errors);

/// All rules, those of reading too, sorted by id.
hlolint::record_list<hlolint::report::rule_entry> known_rules(const command_checks& checks);

/// Which rules run and how. The settings of the rules of reading come after those of the checks. Rules that compare the
/// ranks of a job run where there are some; elsewhere only if their id or name is given, and then the report states why
/// they did not run.
hlolint::chosen_rules choose(const command_checks& checks, const hlolint::rule_choice& given, bool with_ranks);

/// Whether a finding of a parser is wanted: errors of reading always are.
bool is_wanted(const hlolint::diagnostic& finding, const hlolint::rule_settings& settings);

/// Whether the rule of this id is on.
bool is_on(const command_checks& checks, std::string_view rule_id, const hlolint::rule_settings& settings);

/// Whether a rule that is on compares modules with what they were before XLA optimized them.
bool want_earlier_stages(const command_checks& checks, const hlolint::rule_settings& settings);

/// The checks as they were set.
class configured_checks {
 public:
  configured_checks(const command_checks& checks, const configuration& given);
  /// What is wrong with options of rules, one line each.
  const hlolint::record_list<std::string>& errors() const { return errors_; }
  /// Runs the checks on one module. Several threads may do so at the same time.
  hlolint::findings operator()(const hlolint::context& dump, const hlolint::rule_settings& settings) const;

 private:
  hlolint::record_list<std::unique_ptr<checks_part>> parts_;
  hlolint::record_list<std::size_t> sizes_;  // rules of each part
  hlolint::record_list<std::string> errors_;
};
