// A catalogue as the command sees it; this code is compiled once for each catalogue.
#pragma once

#include "checks.hpp"
#include "run_with_pauses.hpp"

#include <hlolint/lint/run.hpp>
#include <hlolint/tool/option_setting.hpp>
#include <hlolint/tool/report/reading_rules.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::command {

template <class... Checks>
class catalogue_part final : public checks_part {
  static constexpr bool is_free(const hlolint::rule& about) {
    for (const hlolint::rule& taken : hlolint::report::reading_rules)
      if (about.id == taken.id || about.name == taken.name) return false;
    return true;
  }
  static_assert((is_free(hlolint::rule_of<Checks>()) && ...), "a check has the id or the name of a rule of reading");

 public:
  explicit catalogue_part(hlolint::catalogue<Checks...> list) : list_(std::move(list)) {}

  std::unique_ptr<checks_part> copy() const override { return std::make_unique<catalogue_part>(*this); }
  std::vector<needed_rule> rules() const override {
    return {needed_rule{hlolint::rule_of<Checks>(), hlolint::needs_of<Checks>()}...};
  }
  std::vector<hlolint::report::rule_entry> entries() const override { return hlolint::report::list_check_rules(list_); }
  std::optional<std::string> set_option(const option_setting& option) override {
    return hlolint::set_option(list_, option.rule, option.option, option.value);
  }
  bool set_contracts([[maybe_unused]] const std::vector<hlolint::module_contract>& contracts) override {
    bool knows = false;
    hlolint::for_each_check(list_, [&](const hlolint::rule&, auto& check) {
      if constexpr (requires { check.contracts = contracts; }) check.contracts = contracts, knows = true;
    });
    return knows;
  }
  std::vector<hlolint::skipped_check> run(const hlolint::context& dump, hlolint::diagnostic_sink_ref emit,
                                          const hlolint::rule_settings& settings,
                                          const std::function<void()>& pause) const override {
    return run_with_pauses(hlolint::listed_checks(list_), dump, emit, settings, pause);
  }

 private:
  hlolint::catalogue<Checks...> list_;
};

}  // namespace hlolint::command
