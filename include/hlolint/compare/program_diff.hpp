// What is different between two compilations of a program.
#pragma once

#include <hlolint/compare/finding_diff.hpp>
#include <hlolint/compare/module_diff.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::compare {

/// A module of one side.
struct linted_module {
  module_summary summary;  ///< the module
  std::vector<diagnostic> findings;  ///< its findings, dismissed ones included
  std::vector<std::string> skipped;  ///< rules that could not run
  bool whole = true;                 ///< all of its files could be read; half a module is not another one

  /// The first file that the module was read from; empty if none is known.
  std::string file() const { return summary.files.empty() ? std::string{} : summary.files.front(); }
};

/// The differences between two runs.
struct program_diff {
  std::vector<module_change> changes;  ///< by module in the order of the new side, what is worse first
  std::vector<std::string> remarks;    ///< what could not be compared
  std::size_t compared = 0;            ///< modules that are there, and whole, on both sides

  /// How many changes went that way.
  std::size_t count(change_verdict verdict) const {
    return static_cast<std::size_t>(
        std::count_if(changes.begin(), changes.end(), [&](const module_change& c) { return c.verdict == verdict; }));
  }
  /// Whether any change is for the worse: the command's exit status.
  bool is_worse() const { return count(change_verdict::worse) > 0; }
};

namespace detail {

inline void add_remarks(const module_summary& before, const module_summary& after, std::vector<std::string>& remarks) {
  const auto differ = [&](bool module_summary::* part, std::string_view what) {
    if (before.*part == after.*part) return false;
    remarks.push_back(after.name + ": only the " + (after.*part ? "new" : "old") + " one has " + std::string(what) +
                      ", so what needs it is not compared");
    return true;
  };
  if (!differ(&module_summary::has_hlo, "HLO text")) differ(&module_summary::is_scheduled, "a schedule");
  if (!differ(&module_summary::has_assignment, "a buffer assignment"))
    differ(&module_summary::has_live_ranges, "live ranges");
  if (before.target != after.target)
    remarks.push_back(after.name + ": the old one is for the target " + std::string(name_of(before.target)) +
                      ", the new one for " + std::string(name_of(after.target)));
}

inline void diff_module(const linted_module& before, const linted_module& after, const diff_options& options,
                        program_diff& out) {
  add_remarks(before.summary, after.summary, out.remarks);
  std::vector<module_change> changes = diff(before.summary, after.summary, options);
  std::set<std::string> left_out;
  std::vector<std::string> old_skipped = before.skipped, new_skipped = after.skipped;
  std::sort(old_skipped.begin(), old_skipped.end()), std::sort(new_skipped.begin(), new_skipped.end());
  std::set_symmetric_difference(old_skipped.begin(), old_skipped.end(), new_skipped.begin(), new_skipped.end(),
                                std::inserter(left_out, left_out.end()));
  diff_findings(before.findings, after.findings, left_out, options, changes);
  std::stable_sort(changes.begin(), changes.end(), [](const module_change& a, const module_change& b) {
    return std::tuple(a.verdict, a.kind) < std::tuple(b.verdict, b.kind);
  });
  for (module_change& change : changes) {
    change.module = after.summary.name;
    change.file = after.file();
    out.changes.push_back(std::move(change));
  }
}

}  // namespace detail

/// Modules belong together if they have one name without its number; of several of one name those that are most alike,
/// then in order. Two lone modules always belong together. One that has no partner is neither worse nor better.
inline program_diff diff(const std::vector<linted_module>& before, const std::vector<linted_module>& after,
                         const diff_options& options = {}) {
  matched_entries found = match_entries(
      before, after,
      [](const linted_module& m) {
        const module_summary& s = m.summary;
        return joined_key(s.name, s.signature, std::to_string(s.instructions), std::to_string(s.memory.total),
                          std::to_string(s.memory.peak));
      },
      [](const linted_module& m) { return joined_key(m.summary.name, m.summary.signature); },
      [](const linted_module& m) { return joined_key(m.summary.name); });
  if (before.size() == 1 && after.size() == 1) found = {{{0, 0}}, {}, {}};

  program_diff out;
  for (const auto& [i, j] : found.pairs) {
    if (!before[i].whole || !after[j].whole) {
      out.remarks.push_back(
          after[j].summary.name + ": not compared, as " +
          (after[j].whole    ? "the old one"
           : before[i].whole ? "the new one"
                             : "neither") +
          (before[i].whole || after[j].whole ? " could not be read in full" : " could be read in full"));
      continue;
    }
    ++out.compared;
    detail::diff_module(before[i], after[j], options, out);
  }
  const auto lone = [&](const linted_module& m, const char* what) {
    module_change& change = out.changes.emplace_back();
    change.kind = change_kind::module;
    change.verdict = change_verdict::neither;
    change.module = m.summary.name;
    change.file = m.file();
    change.text = what;
  };
  for (const std::size_t j : found.added) lone(after[j], "the module is new");
  for (const std::size_t i : found.gone) lone(before[i], "the module is gone");
  return out;
}

}  // namespace hlolint::compare
