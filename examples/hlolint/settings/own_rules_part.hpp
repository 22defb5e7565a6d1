// Rules that are defined at run time, as a part of the command's checks. They need HLO and have no options.
#pragma once

#include "checks.hpp"
#include "run_with_pauses.hpp"

#include <hlolint/lint/run.hpp>
#include <hlolint/report/rule_list.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::command {

/// `Rule` has the members `about` and `is`, the word for such a rule in messages. `Find` is called with a pointer to
/// the rule, once for each module. Copies share the rules.
template <class Rule, void (*Find)(const Rule&, const hlolint::context&, hlolint::sink_ref)>
class own_rules_part final : public checks_part {
 public:
  explicit own_rules_part(std::vector<std::shared_ptr<const Rule>> rules) : rules_(std::move(rules)) {}

  std::unique_ptr<checks_part> copy() const override { return std::make_unique<own_rules_part>(*this); }
  std::vector<needed_rule> rules() const override {
    std::vector<needed_rule> out;
    for (const auto& each : rules_) out.push_back({each->about, hlolint::need::hlo});
    return out;
  }
  std::vector<hlolint::report::rule_entry> entries() const override {
    std::vector<hlolint::report::rule_entry> out;
    for (const auto& each : rules_) out.push_back({each->about, {"hlo"}, {}});
    return out;
  }
  std::optional<std::string> set_option(const option_setting& option) override {
    return option.rule + " has no options: it is " + Rule::is;
  }
  bool set_contracts(const std::vector<hlolint::module_contract>&) override { return false; }
  std::vector<hlolint::skipped_check> run(const hlolint::context& dump, hlolint::diagnostic_sink_ref emit,
                                          const hlolint::rule_settings& settings,
                                          const std::function<void()>& pause) const override {
    std::vector<hlolint::listed_check> list;
    for (const auto& each : rules_)
      list.push_back({.about = &each->about,
                      .needs = hlolint::need::hlo,
                      .once = [&each](const hlolint::context& of, hlolint::sink_ref to) { Find(*each, of, to); }});
    return run_with_pauses(list, dump, emit, settings, pause);
  }

 private:
  std::vector<std::shared_ptr<const Rule>> rules_;
};

}  // namespace hlolint::command
