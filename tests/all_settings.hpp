// Every rule of a catalogue runs, notes included.
#pragma once

#include <hlolint/lint/settings.hpp>

namespace hlolint {

/// The settings with all rules and notes enabled.
template <class... Checks>
rule_settings all_settings(const catalogue<Checks...>& list) {
  rule_choice everything;
  everything.select.emplace_back("ALL");
  return choose_rules(rules_of(list), everything).settings;
}

}  // namespace hlolint
