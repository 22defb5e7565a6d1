#include "checks.hpp"

#include <hlolint/checks/all.hpp>

#include <algorithm>
#include <array>
#include <tuple>
#include <type_traits>

using namespace hlolint;

namespace {

constexpr std::size_t check_count = all.size();

std::array<rule, check_count + reading_rules.size()> checks_and_reading() {
  std::array<rule, check_count + reading_rules.size()> rules;
  const auto checks = rules_of(all);
  std::copy(checks.begin(), checks.end(), rules.begin());
  std::copy(reading_rules.begin(), reading_rules.end(), rules.begin() + check_count);
  return rules;
}

// Of each check, in order, whether it needs `what`.
std::array<bool, check_count> checks_that_need(need what) {
  return std::apply(
      [&](const auto&... check) {
        return std::array{contains(needs_of<std::remove_cvref_t<decltype(check)>>(), what)...};
      },
      all.checks);
}

}  // namespace

std::vector<rule_entry> known_rules() { return list_rules(all); }

chosen_rules choose(const rule_choice& given, bool with_ranks) {
  const auto rules = checks_and_reading();
  chosen_rules out = choose_rules(rules, given);
  const auto names = [](const std::vector<std::string>& words, const rule& about) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word == about.id || word == about.name; });
  };
  const std::array<bool, check_count> compares_ranks = checks_that_need(need::ranks);
  for (std::size_t i = 0; i < check_count && !with_ranks; ++i)
    if (compares_ranks[i] && !names(given.select, rules[i]) && !names(given.extend_select, rules[i]))
      out.settings[i].enabled = false;
  const auto refuse = [&](const std::string& word) {
    for (const rule& about : reading_rules)
      if (is_reading_error(about.id) && (word == about.name || (word.size() >= 3 && about.id.starts_with(word)))) {
        out.errors.push_back("'" + word + "': what cannot be read is always reported");
        return;
      }
  };
  for (const std::string& word : given.ignore) refuse(word);
  for (const auto& [word, level] : given.levels) refuse(word);
  return out;
}

bool is_wanted(const diagnostic& finding, const rule_settings& settings) {
  if (is_reading_error(finding.rule)) return true;
  for (std::size_t i = 0; i < reading_rules.size(); ++i) {
    const rule_setting& setting = settings[check_count + i];
    if (finding.rule == reading_rules[i].id)
      return setting.enabled && (setting.notes || std::min(finding.level, setting.level) > severity::note);
  }
  return true;
}

bool is_on(std::string_view rule_id, const rule_settings& settings) {
  const auto rules = checks_and_reading();
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].id == rule_id) return settings[i].enabled;
  return false;
}

bool want_earlier_stages(const rule_settings& settings) {
  const std::array<bool, check_count> compares = checks_that_need(need::earlier);
  for (std::size_t i = 0; i < check_count; ++i)
    if (compares[i] && settings[i].enabled) return true;
  return false;
}

struct configured_checks::content {
  std::remove_const_t<decltype(all)> checks = all;
  std::vector<std::string> errors;
};

configured_checks::configured_checks(const configuration& given) : content_(std::make_unique<content>()) {
  for (const option_setting& option : given.options)
    if (const auto wrong = set_option(content_->checks, option.rule, option.option, option.value))
      content_->errors.push_back(*wrong);
  std::get<collective_contract>(content_->checks.checks).agreements = given.contracts;
  std::get<memory_contract>(content_->checks.checks).agreements = given.contracts;
}
configured_checks::~configured_checks() = default;

const std::vector<std::string>& configured_checks::errors() const { return content_->errors; }

findings configured_checks::operator()(const context& dump, const rule_settings& settings) const {
  return lint(content_->checks, dump, settings);
}
