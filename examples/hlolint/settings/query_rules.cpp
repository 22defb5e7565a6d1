#include "query_rules.hpp"

#include "../complain.hpp"
#include "own_rules_part.hpp"

#include <hlolint/lint/finding_at.hpp>
#include <hlolint/match/context_properties.hpp>
#include <hlolint/match/matches.hpp>
#include <hlolint/tool/parse_parts.hpp>
#include <hlolint/tool/query/compiled_query.hpp>
#include <hlolint/tool/query/message_text.hpp>
#include <hlolint/tool/report/reading_rules.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

namespace {

// One rule: its texts, which `about` refers to, and the compiled query.
struct query_rule {
  explicit query_rule(const written_rule& from)
      : written(from),
        query(written.match, match::all_properties<context>()),
        message(written.message, match::all_properties<context>(), query.captures()) {
    if (written.name.empty()) written.name = written.id;
    if (written.what.empty()) written.what = "Instructions that match: " + written.match;
    about.id = written.id, about.name = written.name, about.what = written.what, about.why = written.why;
    about.advice = written.advice, about.costs = cost_kind::time, about.since = "";
    about.level = written.level == "error"  ? severity::error
                  : written.level == "note" ? severity::note
                                            : severity::warning;
  }
  query_rule(const query_rule&) = delete;
  query_rule& operator=(const query_rule&) = delete;

  static constexpr const char* is = "a rule of the configuration";
  written_rule written;
  match::compiled_query<context> query;
  match::message_text<context> message;
  rule about;
};

finding found_by(const query_rule& by, hlo_instruction i, const std::vector<match::binding>& captures,
                 const context& dump) {
  std::string message = by.message.of(i, captures, dump);
  finding out = finding_at(i, message.empty() ? "matches " + by.written.match : std::move(message));
  if (const auto bytes = match::bytes.of(i, dump)) out.bytes = static_cast<byte_count>(*bytes);
  for (const match::binding& b : captures) out.related.push_back(related_at(b.is, "$" + std::string(b.name)));
  return out;
}

void find(const query_rule& by, const context& dump, sink_ref emit) {
  match::match_state<context> state(dump);
  match::for_each_match(by.query.pattern(), state, [&](hlo_instruction i, const std::vector<match::binding>& captures) {
    emit(found_by(by, i, captures, dump));
    return true;
  });
  if (!state.exhausted()) return;
  finding cut = finding_at(*dump.hlo(), "the query has so many choices that not all were tried");
  emit(std::move(cut));
}

}  // namespace

loaded_rules make_query_rules(const configuration& settings, const command_checks& others) {
  loaded_rules out;
  std::vector<std::shared_ptr<const query_rule>> rules;
  std::vector<std::string> taken;
  for (const needed_rule& each : others.rules()) taken.emplace_back(each.about.id), taken.emplace_back(each.about.name);
  for (const rule& each : report::reading_rules) taken.emplace_back(each.id), taken.emplace_back(each.name);
  for (std::size_t at = 0; at < settings.rules.size(); ++at) {
    const auto wrong_at = [&](span where, const std::string& message) {
      const line_column place = location{settings.text, where}.begin();
      out.errors.push_back(settings.path + ":" + std::to_string(place.line) + ": error: [[rule]] " +
                           settings.rules[at].id + ": " + message);
    };
    const auto wrong = [&](const std::string& message) { wrong_at(settings.rule_places[at], message); };
    const auto each = std::make_shared<const query_rule>(settings.rules[at]);
    const auto wrong_in = [&](const char* key, span where, const match::query_error& e) {
      wrong_at(where, std::string(key) + ", column " + std::to_string(e.at + 1) + ": " + e.message);
    };
    if (each->query.error()) wrong_in("match", each->written.match_place, *each->query.error());
    if (each->message.error()) wrong_in("message", each->written.message_place, *each->message.error());
    for (const std::string_view word : {std::string_view(each->written.id), std::string_view(each->written.name)})
      if (std::find(taken.begin(), taken.end(), word) != taken.end()) {
        wrong("there is a rule '" + std::string(word) + "' already");
        break;  // without a name, the id serves as one
      }
    if (const std::string& level = each->written.level;
        !level.empty() && level != "error" && level != "warning" && level != "note")
      wrong("level is note, warning or error, not '" + level + "'");
    taken.push_back(each->written.id);
    if (each->written.name != each->written.id) taken.push_back(each->written.name);
    rules.push_back(each);
  }
  if (out.errors.empty()) out.part = std::make_shared<own_rules_part<query_rule, &find>>(std::move(rules));
  return out;
}

int test_query_rules(const configuration& settings, const command_checks& others, std::ostream& out) {
  const loaded_rules loaded = make_query_rules(settings, others);
  for (const std::string& error : loaded.errors) complain_lines(error);
  if (!loaded.errors.empty()) return exit_error;
  if (settings.rules.empty()) return complain("rules --test: there is no [[rule]] in the configuration");
  int status = exit_clean;
  for (const written_rule& each : settings.rules) {
    const query_rule one(each);
    std::vector<std::string> wrong;
    const auto count = [&](const std::string& text, const char* key) {
      std::size_t found = 0;
      const parsed_file file = parse_parts(text);
      for (const diagnostic& d : file.diagnostics)
        if (d.level == severity::error)
          wrong.push_back(std::string(key) + ": line " + std::to_string(d.where.begin().line) + ": " + d.message);
      for (const hlo_module& module : file.modules()) {
        const context dump(module);
        found += match::matches(one.query.pattern(), dump).size();
      }
      return found;
    };
    if (!each.fires.empty() && count(each.fires, "fires") == 0 && wrong.empty())
      wrong.emplace_back("fires: nothing is found");
    if (!each.silent.empty())
      if (const std::size_t n = count(each.silent, "silent"); n > 0)
        wrong.push_back("silent: " + std::to_string(n) + " found");
    const bool untested = each.fires.empty() && each.silent.empty();
    out << each.id << ": " << (!wrong.empty() ? "failed" : untested ? "no examples" : "ok") << '\n';
    for (const std::string& line : wrong) out << "  " << line << '\n';
    if (!wrong.empty()) status = exit_findings;
  }
  return status;
}

}  // namespace hlolint::command
