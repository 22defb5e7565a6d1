// Summaries of a long list of findings: numbers by rule, the costliest findings, functions compiled many times.
#pragma once

#include <hlolint/ir/source_position.hpp>
#include <hlolint/lint/accept/fingerprint.hpp>
#include <hlolint/lint/inputs/file_stem.hpp>
#include <hlolint/report/findings/cost_lists.hpp>
#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::report {

/// The five groups that cost most time and the five that cost most memory, each with the sum of all findings; nothing
/// if there are no more groups than these.
inline record_list<std::string> costliest_lines(const record_list<finding_group>& groups, const run_result& run) {
  constexpr std::size_t most = 5;
  record_list<std::string> out;
  if (groups.size() <= most) return out;
  for (const cost_unit unit : {cost_unit::time, cost_unit::memory}) {
    const record_list<const finding_group*> ranked = ranked_by(unit, groups);
    if (ranked.empty()) continue;
    impact_sums all{};
    for (const finding_group* const g : ranked) all += g->sums;
    const bool relative = unit == cost_unit::time && all[2] <= 0;
    out.push_back(unit == cost_unit::memory ? std::string("what costs most memory:")
                  : relative                ? std::string("what costs most time, on common devices:")
                                            : std::string("what costs most time:"));
    for (std::size_t i = 0; i < ranked.size() && i < most; ++i) {
      const diagnostic& d = ranked[i]->first();
      impact_sums own = ranked[i]->sums;
      own[unit == cost_unit::time ? 0 : 2] = 0;
      if (unit == cost_unit::memory) own[1] = 0;
      std::string text = std::string(name_of(d.level)) + " " + d.rule + " " + d.name;
      if (ranked[i]->findings.size() > 1) text += ", " + std::to_string(ranked[i]->findings.size()) + " times";
      if (const std::string sum = impact_text(own); !sum.empty()) text += ", " + sum;
      const std::string line = d.where.in.path() + ":" + std::to_string(d.where.begin().line);
      text += ": " + (d.source_file.empty() ? line : file_and_line(d.source_file, d.source_line));
      out.push_back("  " + std::to_string(i + 1) + ". " + printable(text));
    }
    if (unit == cost_unit::memory)
      out.push_back("  all findings: " + human(clamp_to_int64(sum_of_memory(run.diagnostics))) +
                    " of memory, each byte counted once");
    else if (!relative)
      out.push_back("  all findings: " + milliseconds_text(sum_of_time(run.diagnostics, impact_unit::seconds)) +
                    " ms of a step, each instruction counted once");
  }
  return out;
}

/// Writes a table of rules with the numbers and impact of their findings; nothing without findings.
inline void write_statistics(std::ostream& out, const record_list<diagnostic>& list) {
  const record_list<rule_statistics> rules = statistics_of(list);
  if (rules.empty()) return;
  std::size_t name_width = 4;
  for (const rule_statistics& s : rules) name_width = std::max(name_width, columns_of(s.name));
  const auto left = [&](const std::string& text, std::size_t width) {
    out << text << std::string(width - std::min(width, columns_of(text)) + 2, ' ');
  };
  const auto right = [&](const std::string& text, std::size_t width) {
    out << std::string(width - std::min(width, columns_of(text)), ' ') << text << "  ";
  };
  left("rule", 6), left("name", name_width);
  right("errors", 6), right("warnings", 8), right("notes", 5), right("dismissed", 9);
  out << "impact\n";
  for (const rule_statistics& s : rules) {
    left(printable(s.rule), 6), left(printable(s.name), name_width);
    right(std::to_string(s.errors), 6), right(std::to_string(s.warnings), 8), right(std::to_string(s.notes), 5);
    right(std::to_string(s.dismissed), 9);
    const std::string sum = impact_text(s.sums);
    out << (sum.empty() ? "-" : sum) << '\n';
  }
  out << '\n';
}

/// One line about functions with five or more modules in a folder; nothing if there are none.
inline record_list<std::string> recompiled_lines(const record_list<input_summary>& inputs) {
  constexpr std::size_t many = 5, most_named = 4;
  ordered_map<std::pair<std::string_view, std::string>, std::size_t> modules;  // by folder and function
  std::size_t all_modules = 0;
  std::set<std::pair<std::string_view, std::string_view>> seen;  // the text and the message of a module count once
  for (const input_summary& input : inputs)
    if (const dump_file_name name = dump_file_of(input.path);
        input.modules == 1 && holds_hlo(input.kind) && name.role != dump_role::stage &&
        seen.emplace(name.folder, name.module).second)
      ++modules[{file_stem_of(input.path).folder, compiled_function(input.module)}], ++all_modules;
  record_list<std::pair<std::size_t, std::string>> often;
  for (const auto& [key, count] : modules)
    if (count >= many) often.emplace_back(count, key.second);
  if (often.empty()) return {};
  sort_records(often, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = std::to_string(all_modules) + " modules of " + std::to_string(modules.size()) +
                     (modules.size() == 1 ? " function: " : " functions: ");
  for (std::size_t i = 0; i < often.size() && i < most_named; ++i)
    text += (i > 0 ? ", " : "") + printable(often[i].second) + " " + std::to_string(often[i].first) + " times";
  if (often.size() > most_named) text += " and " + std::to_string(often.size() - most_named) + " more functions";
  return {text + " (--select DMP011 shows what differs)"};
}

}  // namespace hlolint::report
