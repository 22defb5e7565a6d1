// The checks that the command runs, with their types hidden behind functions, so that each catalogue is compiled in one
// place only.
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

/// A rule, and the needs of its check.
struct needed_rule {
  hlolint::rule about;
  hlolint::need needs = hlolint::need::nothing;
};

/// A catalogue of any type, made by catalogue_part.hpp.
class checks_part {
 public:
  virtual ~checks_part() = default;
  virtual std::unique_ptr<checks_part> copy() const = 0;
  /// In the order of the catalogue.
  virtual hlolint::record_list<needed_rule> rules() const = 0;
  /// The same rules with their options.
  virtual hlolint::record_list<hlolint::report::rule_entry> entries() const = 0;
  /// Sets an option of one of these rules. Returns the error, or nothing if the option was set.
  virtual hlolint::optional<std::string> set_option(const option_setting& option) = 0;
  /// False if none of the checks is about contracts.
  virtual bool set_contracts(const hlolint::record_list<hlolint::module_contract>& contracts) = 0;
  /// Passes what is found to `report` and returns what could not be checked. `settings` has one entry for each rule.
  virtual hlolint::record_list<hlolint::skipped_check> run(const hlolint::context& dump,
                                                           hlolint::diagnostic_sink_ref report,
                                                           const hlolint::rule_settings& settings) const = 0;
};

/// All checks of a command, in parts that are compiled separately.
class command_checks {
 public:
  explicit command_checks(hlolint::record_list<std::shared_ptr<const checks_part>> parts);
  const hlolint::record_list<std::shared_ptr<const checks_part>>& parts() const { return parts_; }
  /// The rules of all parts, in order.
  const hlolint::record_list<needed_rule>& rules() const { return rules_; }

 private:
  hlolint::record_list<std::shared_ptr<const checks_part>> parts_;
  hlolint::record_list<needed_rule> rules_;
};

/// The catalogue of hlolint.
const command_checks& built_in_checks();

/// Runs the command line with these checks. Returns the exit status: 0 no findings at the level of --fail-on or above,
/// 1 findings, 2 unreadable input or wrong usage. Throws nothing.
int hlolint_command(int count, char** words, const command_checks& checks);

/// Runs the command line inside another program: the paths of `at_hand` stand for dumps that were parsed already, or
/// for `ranks` for texts of digests; standard output goes to `output`, and error messages go to `errors`.
int hlolint_command(int count, char** words, const command_checks& checks,
                    std::map<std::string, hlolint::parsed_file> at_hand, std::ostream& output, std::ostream& errors);

/// All rules, including those of the parsers, sorted by id.
hlolint::record_list<hlolint::report::rule_entry> known_rules(const command_checks& checks);

/// Which rules run, and how. The settings of the parsers' rules come after those of the checks. Rules that compare the
/// ranks of a job are on if there are ranks; without ranks only if their id or name is given, and then the report
/// states why they did not run.
hlolint::chosen_rules choose(const command_checks& checks, const hlolint::rule_choice& given, bool with_ranks);

/// Whether a parser's finding is reported. Errors always are.
bool is_wanted(const hlolint::diagnostic& finding, const hlolint::rule_settings& settings);

/// Whether the rule of this id is on.
bool is_on(const command_checks& checks, std::string_view rule_id, const hlolint::rule_settings& settings);

/// Whether any rule that is on compares modules with their form before optimization.
bool want_earlier_stages(const command_checks& checks, const hlolint::rule_settings& settings);

/// The checks with their settings.
class configured_checks {
 public:
  configured_checks(const command_checks& checks, const configuration& given);
  /// The errors in the options of rules, one line each.
  const hlolint::record_list<std::string>& errors() const { return errors_; }
  /// Runs the checks on one module. Several threads may do so at the same time.
  hlolint::findings operator()(const hlolint::context& dump, const hlolint::rule_settings& settings) const;

 private:
  hlolint::record_list<std::unique_ptr<checks_part>> parts_;
  hlolint::record_list<std::size_t> sizes_;  // rules of each part
  hlolint::record_list<std::string> errors_;
};
