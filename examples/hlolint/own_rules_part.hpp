// Rules that are defined at run time, as a part of the command's checks. They need HLO and have no options.
#pragma once

#include "checks.hpp"

#include <hlolint/lint/run.hpp>
#include <hlolint/report/rule_list.hpp>
#include <hlolint/text/record_list.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

/// `Rule` has the members `about` and `is`, the word for such a rule in messages. `Find` is called with a pointer to
/// the rule, once for each module. Copies share the rules.
template <class Rule, void (*Find)(const Rule&, const hlolint::context&, hlolint::sink_ref)>
class own_rules_part final : public checks_part {
 public:
  explicit own_rules_part(hlolint::record_list<std::shared_ptr<const Rule>> rules) : rules_(std::move(rules)) {}

  std::unique_ptr<checks_part> copy() const override { return std::make_unique<own_rules_part>(*this); }
  hlolint::record_list<needed_rule> rules() const override {
    hlolint::record_list<needed_rule> out;
    for (const auto& each : rules_) out.push_back({each->about, hlolint::need::hlo});
    return out;
  }
  hlolint::record_list<hlolint::report::rule_entry> entries() const override {
    hlolint::record_list<hlolint::report::rule_entry> out;
    for (const auto& each : rules_) out.push_back({each->about, {"hlo"}, {}});
    return out;
  }
  hlolint::optional<std::string> set_option(const option_setting& option) override {
    return option.rule + " has no options: it is " + Rule::is;
  }
  bool set_contracts(const hlolint::record_list<hlolint::module_contract>&) override { return false; }
  hlolint::record_list<hlolint::skipped_check> run(const hlolint::context& dump, hlolint::diagnostic_sink_ref report,
                                                   const hlolint::rule_settings& settings) const override {
    hlolint::record_list<hlolint::listed_check> list;
    for (const auto& each : rules_)
      list.push_back({.about = &each->about,
                      .needs = hlolint::need::hlo,
                      .check = each.get(),
                      .once = &find,
                      .add_time = &hlolint::detail::add_time_costs<hlolint::rule>});
    return hlolint::run(list, dump, report, settings);
  }

 private:
  static void find(const void* which, const hlolint::context& dump, hlolint::sink_ref report) {
    Find(*static_cast<const Rule*>(which), dump, report);
  }
  hlolint::record_list<std::shared_ptr<const Rule>> rules_;
};
