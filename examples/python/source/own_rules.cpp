#include "own_rules.hpp"

#include <hlolint/settings/own_rules_part.hpp>
#include <hlolint/settings/query_rules.hpp>

#include <hlolint/lint/finding_at.hpp>
#include <hlolint/tool/report/reading_rules.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace hlolint::python {

using namespace command;

namespace {

std::string text_in(const nb::dict& from, const char* key) {
  return from.contains(key) ? nb::cast<std::string>(from[key]) : std::string();
}

severity level_of(std::string_view word) {
  return word == "error" ? severity::error : word == "note" ? severity::note : severity::warning;
}

// A Python function, and the texts that `about` refers to.
struct function_rule {
  explicit function_rule(const nb::dict& from)
      : id(text_in(from, "id")),
        name(text_in(from, "name")),
        what(text_in(from, "what")),
        why(text_in(from, "why")),
        advice(text_in(from, "advice")),
        find(from["find"]) {
    if (name.empty()) name = id;
    about.id = id, about.name = name, about.what = what, about.why = why, about.advice = advice;
    about.level = level_of(text_in(from, "level")), about.costs = cost_kind::time, about.since = "";
  }
  function_rule(const function_rule&) = delete;
  function_rule& operator=(const function_rule&) = delete;

  static constexpr const char* is = "a function";
  std::string id, name, what, why, advice;
  nb::object find;
  rule about;
};

// May be called from any thread.
void call(const function_rule& by, const context& dump, sink_ref emit) {
  std::vector<finding> found;
  {
    const nb::gil_scoped_acquire lock;
    try {
      const auto module = std::make_shared<shared_module>(*dump.hlo());
      for (const nb::handle each : by.find(module)) {
        const auto pair = nb::cast<nb::tuple>(each);
        std::string message = nb::cast<std::string>(pair[1]);
        found.push_back(pair[0].is_none() ? finding_at(*dump.hlo(), std::move(message))
                                          : finding_at(nb::cast<instruction>(pair[0]).view, std::move(message)));
      }
    } catch (const nb::python_error& thrown) {
      throw std::runtime_error("the check " + by.id + ": " + nb::cast<std::string>(thrown.type().attr("__name__")) +
                               ": " + nb::str(thrown.value()).c_str());
    } catch (const nb::cast_error&) {
      throw std::runtime_error("the check " + by.id + ": findings are pairs of an Instruction or None and a message");
    }
  }
  for (finding& each : found) emit(std::move(each));
}

written_rule written(const nb::dict& from) {
  written_rule out;
  out.id = text_in(from, "id"), out.name = text_in(from, "name"), out.match = text_in(from, "match");
  out.message = text_in(from, "message"), out.level = text_in(from, "level"), out.what = text_in(from, "what");
  out.why = text_in(from, "why"), out.advice = text_in(from, "advice");
  return out;
}

}  // namespace

checks_with_own checks_with(const nb::list& rules) {
  checks_with_own out{{}, built_in_checks(), {}};
  configuration queries;
  queries.path = "rule", queries.text = source(std::string("\n"), "rule");
  std::vector<std::shared_ptr<const function_rule>> functions;
  for (const nb::handle each : rules) {
    const auto given = nb::borrow<nb::dict>(each);
    if (given.contains("find"))
      functions.push_back(std::make_shared<const function_rule>(given));
    else
      queries.rules.push_back(written(given)), queries.rule_places.push_back({0, 0});
  }
  std::vector<std::string_view> taken;
  for (const needed_rule& each : out.checks.rules()) taken.insert(taken.end(), {each.about.id, each.about.name});
  for (const rule& each : report::reading_rules) taken.insert(taken.end(), {each.id, each.name});
  for (const auto& each : functions) {
    if (std::find(taken.begin(), taken.end(), each->id) != taken.end() ||
        std::find(taken.begin(), taken.end(), each->name) != taken.end())
      out.errors.push_back("check " + each->id + ": there is a rule of that id or name already");
    taken.insert(taken.end(), {each->id, each->name});
  }
  std::vector<std::shared_ptr<const checks_part>> parts = out.checks.parts();
  if (!functions.empty()) {
    out.own.push_back(std::make_shared<own_rules_part<function_rule, &call>>(std::move(functions)));
    parts.push_back(out.own.back());
  }
  if (!queries.rules.empty()) {
    const loaded_rules loaded = make_query_rules(queries, command_checks(parts));
    out.errors.insert(out.errors.end(), loaded.errors.begin(), loaded.errors.end());
    if (loaded.part) parts.push_back(loaded.part), out.own.push_back(loaded.part);
  }
  out.checks = command_checks(std::move(parts));
  return out;
}

}  // namespace hlolint::python
