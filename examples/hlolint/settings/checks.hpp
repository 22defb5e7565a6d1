// The checks that the command runs, with their types hidden behind functions, so that each catalogue is compiled in one
// place only.
#pragma once

#include "configuration.hpp"

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/lint/lint.hpp>
#include <hlolint/report/rule_list.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::command {

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
  virtual std::vector<needed_rule> rules() const = 0;
  /// The same rules with their options.
  virtual std::vector<hlolint::report::rule_entry> entries() const = 0;
  /// Sets an option of one of these rules. Returns the error, or nothing if the option was set.
  virtual std::optional<std::string> set_option(const option_setting& option) = 0;
  /// False if none of the checks is about contracts.
  virtual bool set_contracts(const std::vector<hlolint::module_contract>& contracts) = 0;
  /// Passes what is found to `emit` and returns what could not be checked. `settings` has one entry for each rule.
  /// `pause`, if it is not empty, is called again and again meanwhile, and may throw.
  virtual std::vector<hlolint::skipped_check> run(const hlolint::context& dump, hlolint::diagnostic_sink_ref emit,
                                                  const hlolint::rule_settings& settings,
                                                  const std::function<void()>& pause) const = 0;
};

/// All checks of a command, in parts that are compiled separately.
class command_checks {
 public:
  explicit command_checks(std::vector<std::shared_ptr<const checks_part>> parts);
  const std::vector<std::shared_ptr<const checks_part>>& parts() const { return parts_; }
  /// The rules of all parts, in order.
  const std::vector<needed_rule>& rules() const { return rules_; }

 private:
  std::vector<std::shared_ptr<const checks_part>> parts_;
  std::vector<needed_rule> rules_;
};

/// The catalogue of hlolint.
const command_checks& built_in_checks();

/// Runs the command line with these checks. Returns the exit status: 0 no findings at the level of --fail-on or above,
/// 1 findings, 2 unreadable input or wrong usage. Throws nothing.
int run_command(int count, char** words, const command_checks& checks);

/// Runs the command line inside another program: the paths of `at_hand` stand for dumps that were parsed already, or
/// for `ranks` for texts of digests; standard output goes to `output`, and error messages go to `errors`.
int run_command(int count, char** words, const command_checks& checks,
                std::map<std::string, hlolint::parsed_file> at_hand, std::ostream& output, std::ostream& errors);

/// All rules, including those of the parsers, sorted by id.
std::vector<hlolint::report::rule_entry> known_rules(const command_checks& checks);

/// Which rules run, and how. The settings of the parsers' rules come after those of the checks. Rules that compare the
/// ranks of a job are on if there are ranks; without ranks only if their id or name is given, and then the report
/// states why they did not run.
hlolint::chosen_rules choose(const command_checks& checks, const hlolint::rule_choice& given, bool with_ranks);

/// The settings with which notes that are off by default are found as well, so that they can be counted: those of the
/// rules that run, and those of the rules that run only on request. Unchanged if the rules were selected.
hlolint::rule_settings with_counted_notes(const command_checks& checks, const hlolint::rule_choice& given,
                                          hlolint::rule_settings settings);

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
  const std::vector<std::string>& errors() const { return errors_; }
  /// Runs the checks on one module. Several threads may do so at the same time. `pause`: see `checks_part::run`.
  hlolint::findings operator()(const hlolint::context& dump, const hlolint::rule_settings& settings,
                               const std::function<void()>& pause = {}) const;

 private:
  std::vector<std::unique_ptr<checks_part>> parts_;
  std::vector<std::size_t> sizes_;  // rules of each part
  std::vector<std::string> errors_;
};

}  // namespace hlolint::command
