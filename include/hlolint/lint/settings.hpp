// The choice of rules and levels, behind --select, --extend-select, --ignore and --level.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/text/suggestion.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The setting of one rule.
struct rule_setting {
  bool enabled = false;                ///< whether the check runs
  bool notes = false;                  ///< whether findings of level note are reported
  severity level = severity::warning;  ///< the rule's, or the user's
  bool counts = false;                 ///< whether they are passed on all the same, for a count; also if not `enabled`
  /// Whether the check has anything to do.
  bool runs() const { return enabled || counts; }
  friend bool operator==(const rule_setting&, const rule_setting&) = default;
};

/// One per check of a catalogue, in its order.
using rule_settings = std::vector<rule_setting>;

/// The user's choice. A word is a rule's id or name, a prefix of ids (`MEM`, `COL0`), or `ALL`.
struct rule_choice {
  std::vector<std::string> select;                          ///< replaces the default set; empty = the default set
  std::vector<std::string> extend_select;                   ///< added
  std::vector<std::string> ignore;                          ///< removed, whatever the other lists contain
  std::vector<std::pair<std::string, std::string>> levels;  ///< word and `off`, `note`, `warning` or `error`
};

/// The settings, and errors.
struct chosen_rules {
  rule_settings settings;           ///< one per check of the catalogue
  std::vector<std::string> errors;  ///< one message per unknown word
};

/// Applies a choice to the rules of a catalogue. The default set is every rule above note, and `CUSTOM` with its notes.
/// A rule that is named, alone or by a prefix, has its notes turned on. A later level wins over an earlier one.
chosen_rules choose_rules(std::span<const rule> rules, const rule_choice& choice);

/// What runs when the user chooses nothing.
template <class... Checks>
rule_settings default_settings(const catalogue<Checks...>& list) {
  return choose_rules(rules_of(list), {}).settings;
}

namespace detail {
inline bool names_rule(std::string_view word, const rule& r) {
  return word == "ALL" || word == r.name || (!word.empty() && r.id.substr(0, word.size()) == word);
}
}  // namespace detail

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
namespace hlolint {

HLOLINT_INLINE chosen_rules choose_rules(std::span<const rule> rules, const rule_choice& choice) {
  chosen_rules out;
  out.settings.resize(rules.size());
  std::vector<std::string_view> known{"ALL"};
  for (const rule& r : rules) {
    known.insert(known.end(), {r.id, r.name, group_of_rule(r.id)});
  }
  const auto each = [&](const std::string& word, auto&& f) {
    bool found = word == "ALL";
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (detail::names_rule(word, rules[i])) found = true, f(out.settings[i]);
    if (!found) out.errors.push_back("unknown rule '" + word + "'" + did_you_mean(word, known));
  };

  for (std::size_t i = 0; i < rules.size(); ++i) {
    out.settings[i].level = rules[i].level;
    out.settings[i].notes = rules[i].id == custom_rule.id;
  }
  std::vector<bool> off(rules.size());
  for (const auto& [word, text] : choice.levels) {
    std::optional<severity> level;
    for (const severity s : {severity::note, severity::warning, severity::error})
      if (name_of(s) == text) level = s;
    if (!level && text != "off") {
      out.errors.push_back("unknown level '" + text + "' for " + word +
                           did_you_mean(text, {"off", "note", "warning", "error"}));
      continue;
    }
    each(word, [&](rule_setting& s) {
      off[static_cast<std::size_t>(&s - out.settings.data())] = !level;
      if (level) s.level = *level, s.notes = s.notes || *level == severity::note;
    });
  }
  const auto on = [](rule_setting& s) { s.enabled = s.notes = true; };
  if (choice.select.empty())
    for (rule_setting& s : out.settings) s.enabled = s.level > severity::note || s.notes;
  for (const std::string& word : choice.select) each(word, on);
  for (const std::string& word : choice.extend_select) each(word, on);
  for (const std::string& word : choice.ignore) each(word, [](rule_setting& s) { s.enabled = false; });
  for (std::size_t i = 0; i < rules.size(); ++i)
    if (off[i]) out.settings[i].enabled = false;
  return out;
}

}  // namespace hlolint
#endif
