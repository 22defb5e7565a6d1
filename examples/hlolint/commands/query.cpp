#include "query.hpp"

#include "../complain.hpp"
#include "../settings/device_choice.hpp"
#include "run.hpp"

#include <hlolint/analysis/program/program_place.hpp>
#include <hlolint/match/context_properties.hpp>
#include <hlolint/match/matches.hpp>
#include <hlolint/tool/query/compiled_query.hpp>
#include <hlolint/tool/report/memory/memory_json.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::command {

using namespace hlolint::report;

namespace {

using compiled = match::compiled_query<context>;

// Writes `query:1:12: error: ...` with the query and a caret.
int complain_about(const compiled& asked) {
  const std::string_view text = asked.text().text();
  const std::size_t at = asked.error()->at, line_begin = text.rfind('\n', at == 0 ? 0 : at - 1) + 1;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t from = line_begin <= at ? line_begin : 0;
  const std::string shown(text.substr(from, text.find('\n', at) - from));
  complain_lines("query:" + std::to_string(line) + ":" + std::to_string(at - from + 1) + ": " + asked.error()->message +
                 "\n  " + shown + "\n  " + std::string(at - from, ' ') + "^");
  return exit_error;
}

std::string place_text(hlo_instruction i) {
  const location where = i.where();
  const line_column at = where.begin();
  return where.in.path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string first_line(hlo_instruction i, std::size_t most) {
  std::string_view text = i.text();
  if (const std::size_t end = text.find('\n'); end != std::string_view::npos) text = text.substr(0, end);
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

std::string source_of_match(hlo_instruction i) {
  const program_place from = program_place_of(i);
  if (from.at) return from.at.file + ":" + std::to_string(from.at.line);
  return from.op_name;
}

void write_match_json(json_writer& json, const context& module, hlo_instruction i,
                      const std::vector<match::binding>& captures, const std::string& source) {
  const location where = i.where();
  json.object([&] {
    json.members("path", where.in.path(), "line", where.begin().line, "column", where.begin().column);
    json.members("module", module.name(), "computation", i.computation().name());
    json.members("instruction", i.name(), "text", i.text());
    if (const auto bytes = match::bytes.of(i, module)) json.member("bytes", static_cast<byte_count>(*bytes));
    json.member_if("source", source);
    json.objects("captures", captures,
                 [&](const match::binding& b) { json.members("name", b.name, "instruction", b.is.name()); });
  });
}

struct group {
  std::size_t count = 0;
  std::string first;  // place
};

}  // namespace

int show_matches(const arguments& asked, const rule_settings& settings, std::ostream& out) {
  const compiled query(asked.query.text, match::all_properties<context>());
  if (query.error()) return complain_about(query);

  arguments given = asked;
  // Modules are written one after the other.
  if (!given.query.count || given.query.first || !given.query.explain.empty()) given.jobs = 1;
  std::size_t count = 0;
  bool exhausted = false;
  std::atomic<bool> searched = false;
  std::map<std::string, group> by_source;
  // `json`: null for a text.
  const auto write_one = [&](json_writer* json, const context& module, hlo_instruction i,
                             const std::vector<match::binding>& captures) {
    const std::string source = source_of_match(i);
    if (given.query.by_source) {
      group& in = by_source[source];
      if (in.count++ == 0) in.first = place_text(i);
      return;
    }
    if (json) return write_match_json(*json, module, i, captures, source);
    out << place_text(i) << ": " << first_line(i, 200);
    for (const match::binding& b : captures) out << "\n  $" << b.name << " = " << first_line(b.is, 160);
    if (!source.empty()) out << "\n  " << source;
    out << '\n';
  };
  const auto explain = [&](const context& module) {
    for (const hlo_instruction i : module.hlo()->instructions()) {
      if (i.name() != given.query.explain && place_text(i) != given.query.explain) continue;
      match::match_state<context> state(module);
      state.explain();
      state.start();
      ++count;
      if (query.pattern().match(i, state, [] { return true; }))
        out << place_text(i) << ": " << i.name() << " matches\n";
      else
        out << place_text(i) << ": " << i.name() << " does not match at: " << state.furthest().step << "\n  "
            << first_line(state.furthest().at ? state.furthest().at : i, 200) << '\n';
    }
  };
  run_result result;
  std::mutex guard;
  const auto search = [&](json_writer* json) {
    result = read_modules(given, settings, [&](const context& module, run_result&) {
      if (!module.hlo()) return;
      searched = true;
      if (given.query.first && count > 0) return;
      if (!given.query.explain.empty()) return explain(module);
      match::match_state<context> state(module);
      std::size_t found = 0;
      match::for_each_match(query.pattern(), state,
                            [&](hlo_instruction i, const std::vector<match::binding>& captures) {
                              ++found;
                              if (!given.query.count) write_one(json, module, i, captures);
                              return !given.query.first;
                            });
      const std::lock_guard lock(guard);
      count += found;
      exhausted = exhausted || state.exhausted();
    });
  };
  const auto sorted_sources = [&] {  // the line with most matches first
    std::vector<std::pair<std::string, group>> sorted(by_source.begin(), by_source.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
    return sorted;
  };
  if (given.json) {
    write_enveloped(out, result, [&](json_writer& json) {
      json.array("matches", [&] { search(&json); });
      json.member("count", count);
      if (given.query.by_source)
        json.objects("sources", sorted_sources(), [&](const auto& row) {
          const auto& [source, in] = row;
          json.member_if("source", source);
          json.members("count", in.count, "first", in.first);
        });
    });
  } else {
    search(nullptr);
    if (given.query.count) out << count << '\n';
    for (const auto& [source, in] : sorted_sources())
      out << in.count << "  " << (source.empty() ? "(not known)" : source) << "  first: " << in.first << '\n';
    write_problems(out, result);
  }
  if (exhausted)
    return complain(
        "the query has so many choices that not all were tried: write it with fewer `...`, `|` or conditions");
  if (!given.query.explain.empty() && count == 0) return complain("--explain: no instruction " + given.query.explain);
  const int status = exit_status(result, given);
  if (!searched && status != exit_error) return complain("there is no HLO text, so nothing was searched");
  return status == exit_error ? status : count > 0 ? exit_clean : exit_findings;
}

}  // namespace hlolint::command
