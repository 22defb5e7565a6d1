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
#include <hlolint/text/number_text.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::report {

/// The five groups that cost most time and the five that cost most memory, each with the sum of all findings; nothing
/// if there are no more groups than these.
inline std::vector<std::string> costliest_lines(const std::vector<finding_group>& groups, const run_result& run) {
  constexpr std::size_t most = 5;
  std::vector<std::string> out;
  if (groups.size() <= most) return out;
  for (const cost_unit unit : {cost_unit::time, cost_unit::memory}) {
    const std::vector<const finding_group*> ranked = ranked_by(unit, groups);
    if (ranked.empty()) continue;
    impact_sums all{};
    for (const finding_group* const g : ranked) all += g->sums;
    const bool relative = unit == cost_unit::time && all[2] <= 0;
    out.push_back(unit == cost_unit::memory ? std::string("what costs most memory:")
                  : relative                ? std::string("what costs most time, on common devices:")
                                            : std::string("what costs most time:"));
    const auto place_of = [](const diagnostic& d) {
      return d.source_file.empty() ? d.where.in.path() + ":" + std::to_string(d.where.begin().line)
                                   : file_and_line(d.source_file, d.source_line);
    };
    std::map<std::pair<std::string, std::string>, std::size_t> alike;  // entries with this rule and place
    for (std::size_t i = 0; i < ranked.size() && i < most; ++i)
      ++alike[{ranked[i]->first().rule, place_of(ranked[i]->first())}];
    for (std::size_t i = 0; i < ranked.size() && i < most; ++i) {
      const diagnostic& d = ranked[i]->first();
      impact_sums own = ranked[i]->sums;
      own[unit == cost_unit::time ? 0 : 2] = 0;
      if (unit == cost_unit::memory) own[1] = 0;
      std::string text = std::string(name_of(d.level)) + " " + d.rule + " " + d.name;
      if (ranked[i]->findings.size() > 1) text += ", " + std::to_string(ranked[i]->findings.size()) + " times";
      if (const std::string sum = impact_text(own, ranked[i]->modules()); !sum.empty()) text += ", " + sum;
      text += ": " + place_of(d);
      if (alike[{d.rule, place_of(d)}] > 1) {
        const std::string_view path = d.where.in.path();
        if (!d.instruction.empty()) text += ", " + d.instruction;
        if (!d.source_file.empty())
          text += " at " + std::string(path.substr(path.rfind('/') + 1)) + ":" + std::to_string(d.where.begin().line);
      }
      out.push_back("  " + std::to_string(i + 1) + ". " + printable(text));
    }
    if (unit == cost_unit::memory)
      out.push_back("  all findings: " + human(clamp_to_int64(sum_of_memory(run.diagnostics))) +
                    " of memory, each byte counted once");
    else if (!relative) {
      finding_group timed;
      for (const diagnostic& d : run.diagnostics)
        if (detail::sums_of(d)[2] > 0) timed.findings.push_back(&d);
      out.push_back("  all findings: " +
                    impact_text({0, 0, sum_of_time(run.diagnostics, impact_unit::seconds), 0}, timed.modules()) +
                    ", each instruction counted once");
    }
  }
  return out;
}

/// `12 notes are not shown, the largest up to 16.9GiB of memory: BUD011 (--select BUD)`; empty if there are none.
/// `not_searched`: modules as `run_result` has them.
inline std::string hidden_notes_text(const std::vector<diagnostic>& notes, std::size_t not_searched = 0) {
  if (not_searched > 0) {
    const std::string others = hidden_notes_text(notes);
    return others + (others.empty() ? "" : "; ") + "what another order of " + counted(not_searched, "large module") +
           " would save is not counted (hlolint advise)";
  }
  if (notes.empty()) return {};
  const diagnostic* largest = nullptr;
  double most = 0;
  for (const diagnostic& note : notes)
    if (const double weight = weight_of(detail::sums_of(note)); weight > most) most = weight, largest = &note;
  std::string out = counted(notes.size(), "note") + (notes.size() == 1 ? " is" : " are") + " not shown";
  if (!largest) return out + " (--select ALL)";
  std::string effect = impact_text(detail::sums_of(*largest));
  if (largest->promise && largest->promise->how_sure == certainty::bound && !effect.empty()) effect = "up to " + effect;
  return out +
         (effect.empty()      ? ": "
          : notes.size() == 1 ? ", " + effect + ": "
                              : ", the largest " + effect + ": ") +
         printable(largest->rule) + " (--select " + printable(group_of_rule(largest->rule)) + ")";
}

/// Writes a table of rules with the numbers and impact of their findings; nothing without findings.
inline void write_statistics(std::ostream& out, const std::vector<diagnostic>& list) {
  const std::vector<rule_statistics> rules = statistics_of(list);
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
    right(std::to_string(s.counts.errors), 6), right(std::to_string(s.counts.warnings), 8);
    right(std::to_string(s.counts.notes), 5), right(std::to_string(s.counts.dismissed), 9);
    const std::string sum = impact_text(s.sums);
    out << (sum.empty() ? "-" : sum) << '\n';
  }
  out << '\n';
}

/// One line about functions with five or more modules in a folder; nothing if there are none.
inline std::vector<std::string> recompiled_lines(const std::vector<input_summary>& inputs) {
  constexpr std::size_t many = 5, most_named = 4;
  std::map<std::pair<std::string_view, std::string>, std::size_t> modules;  // by folder and function
  std::size_t all_modules = 0;
  std::set<std::pair<std::string_view, std::string_view>> seen;  // the text and the message of a module count once
  for (const input_summary& input : inputs)
    if (const dump_file_name name = dump_file_of(input.path); input.modules == 1 && holds_hlo(input.kind) &&
                                                              name.role != dump_role::stage &&
                                                              seen.emplace(name.folder, name.module).second)
      ++modules[{file_stem_of(input.path).folder, compiled_function(input.module)}], ++all_modules;
  std::vector<std::pair<std::size_t, std::string>> often;
  for (const auto& [key, count] : modules)
    if (count >= many) often.emplace_back(count, key.second);
  if (often.empty()) return {};
  std::stable_sort(often.begin(), often.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text = std::to_string(all_modules) + " modules of " + counted(modules.size(), "function") + ": ";
  for (std::size_t i = 0; i < often.size() && i < most_named; ++i)
    text += (i > 0 ? ", " : "") + printable(often[i].second) + " " + std::to_string(often[i].first) + " times";
  text += and_more(often.size(), most_named, " ", often.size() == most_named + 1 ? " function" : " functions");
  return {text + " (--select DMP011 shows what differs)"};
}

}  // namespace hlolint::report
