#include "checks.hpp"

#include "../command.hpp"

#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/tool/checks/all.hpp>
#include <hlolint/tool/report/reading_rules.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

template <class... Checks>
std::shared_ptr<const checks_part> part_of(const catalogue<Checks...>& list) {
  return std::make_shared<catalogue_part<Checks...>>(list);
}

std::vector<rule> checks_and_reading(const command_checks& checks) {
  std::vector<rule> rules;
  for (const needed_rule& each : checks.rules()) rules.push_back(each.about);
  rules.insert(rules.end(), reading_rules.begin(), reading_rules.end());
  return rules;
}

bool is_named(std::string_view word, const rule& about) { return word == about.id || word == about.name; }

}  // namespace

std::shared_ptr<const checks_part> built_in_part(const std::remove_const_t<decltype(tool_checks)>& list) {
  return part_of(list);
}

const command_checks& built_in_checks() {
  static const command_checks checks({part_of(tool_checks)});
  return checks;
}

command_checks::command_checks(std::vector<std::shared_ptr<const checks_part>> parts) : parts_(std::move(parts)) {
  for (const auto& part : parts_) {
    const std::vector<needed_rule> more = part->rules();
    rules_.insert(rules_.end(), more.begin(), more.end());
  }
}

std::vector<rule_entry> known_rules(const command_checks& checks) {
  std::vector<rule_entry> list;
  for (const auto& part : checks.parts()) {
    std::vector<rule_entry> more = part->entries();
    std::move(more.begin(), more.end(), std::back_inserter(list));
  }
  return with_reading_rules(std::move(list));
}

chosen_rules choose(const command_checks& checks, const rule_choice& given, bool with_ranks) {
  chosen_rules out = choose_rules(checks_and_reading(checks), given);
  const auto names = [](const std::vector<std::string>& words, const rule& about) {
    return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_named(word, about); });
  };
  for (std::size_t i = 0; i < checks.rules().size() && !with_ranks; ++i) {
    const needed_rule& each = checks.rules()[i];
    if (contains(each.needs, need::ranks) && !names(given.select, each.about) &&
        !names(given.extend_select, each.about))
      out.settings[i].enabled = false;
  }
  // Two rules stay on whatever was selected: one reports checks that were asked for and could not be evaluated, the
  // other a log in which memory ran out.
  const auto ignores = [&](const rule& about) {
    const auto means = [&](const std::string& word) { return hlolint::detail::names_rule(word, about); };
    return std::any_of(given.ignore.begin(), given.ignore.end(), means) ||
           std::any_of(given.levels.begin(), given.levels.end(),
                       [&](const auto& level) { return means(level.first) && level.second == "off"; });
  };
  for (std::size_t i = 0; i < reading_rules.size(); ++i)
    if (reading_rules[i].id == not_evaluated.id || reading_rules[i].id == unexplained_shortage.id ||
        reading_rules[i].id == fragment_of_program.id || reading_rules[i].id == parts_of_text.id) {
      rule_setting& setting = out.settings[checks.rules().size() + i];
      setting.enabled = !ignores(reading_rules[i]);
      setting.notes = setting.notes || setting.enabled;
    }
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

rule_settings with_counted_notes(const command_checks& checks, const rule_choice& given, rule_settings settings) {
  if (!given.select.empty()) return settings;
  rule_choice everything = given;
  everything.extend_select.emplace_back("ALL");
  const rule_settings all = choose(checks, everything, false).settings;
  for (std::size_t i = 0; i < checks.rules().size(); ++i) settings[i].counts = all[i].enabled && !settings[i].notes;
  return settings;
}

bool is_wanted(const diagnostic& finding, const rule_settings& settings) {
  if (is_reading_error(finding.rule)) return true;
  const std::size_t first = settings.size() - reading_rules.size();  // the settings of the parsers' rules come last
  for (std::size_t i = 0; i < reading_rules.size(); ++i) {
    const rule_setting& setting = settings[first + i];
    if (finding.rule == reading_rules[i].id)
      return setting.enabled && (setting.notes || std::min(finding.level, setting.level) > severity::note);
  }
  return true;
}

bool is_on(const command_checks& checks, std::string_view rule_id, const rule_settings& settings) {
  const auto rules = checks_and_reading(checks);
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (rules[i].id == rule_id) return settings[i].enabled;
  return false;
}

bool want_earlier_stages(const command_checks& checks, const rule_settings& settings) {
  for (std::size_t i = 0; i < checks.rules().size(); ++i)
    if (contains(checks.rules()[i].needs | checks.rules()[i].about.uses, need::earlier) && settings[i].enabled)
      return true;
  return false;
}

configured_checks::configured_checks(const command_checks& checks, const configuration& given) {
  std::vector<std::string_view> known;
  for (const needed_rule& each : checks.rules()) known.push_back(each.about.id), known.push_back(each.about.name);
  for (const auto& part : checks.parts()) {
    parts_.push_back(part->copy());
    sizes_.push_back(part->rules().size());
  }
  for (const option_setting& option : given.options) {
    bool found = false;
    for (const auto& part : parts_) {
      const std::vector<needed_rule> rules = part->rules();
      if (std::none_of(rules.begin(), rules.end(), [&](const auto& each) { return is_named(option.rule, each.about); }))
        continue;
      found = true;
      if (const auto wrong = part->set_option(option)) errors_.push_back(*wrong);
    }
    if (!found) errors_.push_back("unknown rule '" + option.rule + "'" + did_you_mean(option.rule, known));
  }
  bool agreed = given.contracts.empty();
  for (const auto& part : parts_) agreed = part->set_contracts(given.contracts) || agreed;
  if (!agreed)
    errors_.push_back("contracts need the rule " + std::string(collective_contract::about.id) +
                      ", which this command does not have");
}

findings configured_checks::operator()(const context& dump, const rule_settings& settings,
                                       const std::function<void()>& pause) const {
  findings out;
  const auto keep = [&](diagnostic finding) { out.diagnostics.push_back(std::move(finding)); };
  auto next = settings.begin();
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto end = next + static_cast<std::ptrdiff_t>(sizes_[i]);
    std::vector<skipped_check> skipped =
        parts_[i]->run(dump, diagnostic_sink_ref(keep), rule_settings(next, end), pause);
    std::move(skipped.begin(), skipped.end(), std::back_inserter(out.skipped));
    next = end;
  }
  sort_findings(out.diagnostics, dump);
  add_fingerprints(out.diagnostics);
  return out;
}

}  // namespace hlolint::command
