#include "findings.hpp"

#include "../../complain.hpp"
#include "../../reading/inputs.hpp"
#include "places.hpp"
#include "settings_document.hpp"

#include <hlolint/report/findings/finding_groups.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::command::server::lsp {

namespace {

constexpr std::size_t most_diagnostics = 500, most_related = 10;

int level_of(severity level) { return level == severity::error ? 1 : level == severity::warning ? 2 : 3; }

bool is_in(const location& where, const document& what) { return where.in.path() == what.path(); }

// The place of a finding in a document: its own, else that of the first thing in it that takes part.
const location* place_in(const diagnostic& found, const document& what) {
  if (is_in(found.where, what)) return &found.where;
  for (const related_place& other : found.related)
    if (is_in(other.where, what) && !other.where.in.text().empty()) return &other.where;
  return nullptr;
}

// The part of a span on its first line, and at least one character where there is one.
span on_one_line(const document& what, span at) {
  const std::string_view text = what.text();
  const auto size = static_cast<std::uint32_t>(text.size());
  at.begin = std::min(at.begin, size);
  const std::size_t line_end = std::min(text.find('\n', at.begin), text.size());
  at.end = std::clamp(at.end, at.begin, static_cast<std::uint32_t>(line_end));
  if (at.end == at.begin && at.end < line_end) ++at.end;
  // An error of syntax is at a character. The word is easier to see.
  if (at.end == at.begin + 1) at.end = std::max(at.end, word_at(text, at.begin).end);
  return at;
}

// An instruction that ends too early is reported where the next one begins, which is right. Its own end is shown.
span place_of_error(const document& what, const diagnostic& found) {
  const std::string_view text = what.text();
  span at = place_in(found, what)->at;
  if (found.rule != "SYN001" || at.begin >= text.size()) return at;
  const std::size_t before = text.find_last_not_of(" \t\r\n", at.begin == 0 ? 0 : at.begin - 1);
  if (before == text.npos || text.find('\n', before) >= at.begin) return at;
  const std::size_t after = text.find_first_not_of(" \t", word_at(text, at.begin).end);
  const bool begins_next =
      text[at.begin] == '}' || text.substr(at.begin).starts_with("ROOT ") || (after != text.npos && text[after] == '=');
  return begins_next ? span{static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(before + 1)} : at;
}

output related_of(const session& of, const location& where, const std::string& message) {
  return {{"location", of.location_of(where)}, {"message", message.empty() ? "takes part" : message}};
}

output diagnostic_of(const session& of, const document& what, const report::finding_group& group) {
  const diagnostic& found = group.first();
  std::string message = found.message;
  if (group.findings.size() > 1) message += "\n" + report::sum_text(group);
  if (const std::string cost = report::impact_text(group.sums); group.findings.size() == 1 && !cost.empty())
    message += "\ncosts " + cost;
  if (!found.advice.empty()) message += "\n" + found.advice;
  output out{{"range", what.positions().json(on_one_line(what, place_of_error(what, found)))},
             {"severity", level_of(found.level)},
             {"code", found.rule},
             {"source", "hlolint"},
             {"message", std::move(message)},
             {"data",
              {{"rule", found.rule},
               {"module", found.module},
               {"instruction", found.instruction},
               {"fingerprint", found.fingerprint}}}};
  if (!of.can.related_information) return out;
  output related = output::array();
  for (const related_place& other : found.related)
    if (!other.where.in.text().empty() && related.size() < most_related)
      related.push_back(related_of(of, other.where, other.message));
  for (std::size_t i = 1; i < group.findings.size() && related.size() < most_related; ++i)
    related.push_back(related_of(of, group.findings[i]->where, group.findings[i]->instruction + ": the same"));
  if (!related.empty()) out["relatedInformation"] = std::move(related);
  return out;
}

// Tells equal lists of diagnostics from others.
std::string digest_of(const std::string& text) { return std::to_string(std::hash<std::string>{}(text)); }

output found_in(const session& of, const document& what, const report::run_result& result) {
  std::vector<diagnostic> here;
  for (const diagnostic& d : result.diagnostics)
    if (place_in(d, what)) here.push_back(d);
  output list = output::array();
  const std::vector<report::finding_group> groups = report::group_findings(here, true, report::finding_order::impact);
  for (const report::finding_group& group : groups) {
    if (list.size() == most_diagnostics) {
      const output begin = what.positions().json(std::size_t{0});
      list.push_back({{"range", {{"start", begin}, {"end", begin}}},
                      {"severity", 3},
                      {"source", "hlolint"},
                      {"message", std::to_string(groups.size() - most_diagnostics) +
                                      " more findings are not shown: run `hlolint` on the file"}});
      break;
    }
    list.push_back(diagnostic_of(of, what, group));
  }
  return list;
}

// The editor takes more for HLO than the command does; a file with this ending is meant to be HLO, whatever it holds.
bool is_checkable(const document& what) {
  return !is_left_out(what.path(), what.parsed()) || what.path().ends_with(".hlo");
}

void publish(session& of, const document& what, output diagnostics) {
  output params{{"uri", what.uri()}, {"version", what.version()}, {"diagnostics", std::move(diagnostics)}};
  of.with.notify("textDocument/publishDiagnostics", std::move(params));
}

}  // namespace

output diagnostics_of(session& of, document& what, const call* asked) {
  if (what.is_settings()) return settings_diagnostics(of, what);
  if (!is_checkable(what)) return output::array();
  // An editor that asks, and does not watch files, may ask since a file beside the document has changed.
  if (!what.is_checked || (asked && !of.can.watches_files)) check(of, what, asked);
  return found_in(of, what, of.findings[what.uri()]);
}

output diagnostic_report(session& of, const call& asked) {
  document& what = of.document_of(asked.params);
  output items = diagnostics_of(of, what, &asked);
  const std::string result = digest_of(text_of(items));
  if (text_member(asked.params, "previousResultId") == result) return {{"kind", "unchanged"}, {"resultId", result}};
  return {{"kind", "full"}, {"resultId", result}, {"items", std::move(items)}};
}

void publish_diagnostics(session& of, document& what) { publish(of, what, diagnostics_of(of, what, nullptr)); }

bool publish_first_diagnostics(session& of, document& what) {
  if (what.is_settings() || !is_checkable(what)) return false;
  check(of, what, nullptr, rules_of_check::quick);
  publish(of, what, found_in(of, what, of.findings[what.uri()]));
  return true;
}

}  // namespace hlolint::command::server::lsp
