// The differences between two compilations of a program.
#pragma once

#include <hlolint/text/sorting.hpp>
#include <hlolint/tool/compare/finding_diff.hpp>
#include <hlolint/tool/compare/module_diff.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::compare {

/// A module of one side, and its findings.
struct linted_module {
  module_summary summary;            ///< the module
  std::vector<diagnostic> findings;  ///< its findings, dismissed ones included
  std::vector<std::string> skipped;  ///< rules that could not run
  bool whole = true;                 ///< whether all of its files could be read; otherwise it is not compared

  /// The first file that the module was read from; empty if none is known.
  std::string file() const { return summary.files.empty() ? std::string{} : summary.files.front(); }
};

/// The differences between two runs.
struct program_diff {
  std::vector<module_change> changes;  ///< by module, those that need most first; the worse ones first
  std::vector<std::string> remarks;    ///< what could not be compared
  std::size_t compared = 0;            ///< number of modules that are whole on both sides
  std::size_t programs = 0;            ///< how many of them are more than one operation
  std::vector<change_kind> counted{};  ///< the kinds that decide whether it is worse; empty: all

  /// The number of changes in one direction.
  std::size_t count(change_verdict verdict) const {
    return static_cast<std::size_t>(
        std::count_if(changes.begin(), changes.end(), [&](const module_change& c) { return c.verdict == verdict; }));
  }
  /// Whether any change of the kinds that count is for the worse: the command's exit status.
  bool is_worse() const {
    return std::any_of(changes.begin(), changes.end(), [&](const module_change& c) {
      return c.verdict == change_verdict::worse &&
             (counted.empty() || std::find(counted.begin(), counted.end(), c.kind) != counted.end());
    });
  }
};

namespace detail {

inline void add_remarks(const module_summary& before, const module_summary& after, std::vector<std::string>& remarks) {
  const auto differ = [&](bool module_summary::*part, std::string_view what) {
    if (before.*part == after.*part) return false;
    remarks.push_back(after.name + ": only the " + (after.*part ? "new" : "old") + " one has " + std::string(what) +
                      "; changes that depend on this are not compared");
    return true;
  };
  if (!differ(&module_summary::has_hlo, "HLO text")) differ(&module_summary::is_scheduled, "a schedule");
  if (!differ(&module_summary::has_memory, "a buffer assignment, or a schedule to estimate one from"))
    differ(&module_summary::has_live_ranges, "live ranges");
  if (before.time && after.time && before.time->device != after.time->device) {
    const auto name = [](const time_summary& of) { return of.device.empty() ? "no known device" : of.device; };
    remarks.push_back(after.name + ": the old one is for " + name(*before.time) + ", the new one for " +
                      name(*after.time) + ", so times are not compared (name one with --device)");
  }
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
  if (changes.empty()) diff_operations(before.summary, after.summary, changes);
  std::stable_sort(changes.begin(), changes.end(), [](const module_change& a, const module_change& b) {
    return in_order(a.verdict, b.verdict, a.kind, b.kind);
  });
  for (module_change& change : changes) {
    change.module = after.summary.name, change.helper = after.summary.helper;
    change.file = after.file();
    out.changes.push_back(std::move(change));
  }
}

/// Matches modules of equal entry layouts, the most alike first; then modules whose name is unique on both sides, as
/// the layout changes with the size of a batch. If each side has one module, they match.
inline matched_entries match_modules(const std::vector<linted_module>& before,
                                     const std::vector<linted_module>& after) {
  if (before.size() == 1 && after.size() == 1) return {{{0, 0}}, {}, {}};
  constexpr std::size_t many = 32;  // instructions; smaller modules may be alike by chance
  std::map<std::string, std::pair<std::size_t, std::size_t>> namesakes;
  for (const linted_module& m : before) ++namesakes[m.summary.name].first;
  for (const linted_module& m : after) ++namesakes[m.summary.name].second;
  const auto size_of = [](const module_summary& s) { return std::to_string(s.instructions); };
  return match_entries(
      before, after,
      [&](const linted_module& m) {
        const module_summary& s = m.summary;
        return joined_key(s.name, s.signature, size_of(s), std::to_string(s.memory.total),
                          std::to_string(s.memory.peak));
      },
      [&](const linted_module& m) { return joined_key(m.summary.name, m.summary.signature, size_of(m.summary)); },
      [](const linted_module& m) { return key_with(m.summary.signature, m.summary.name); },
      [&](const linted_module& m) {  // renamed
        return m.summary.instructions < many ? std::string{} : key_with(m.summary.signature, size_of(m.summary));
      },
      [&](const linted_module& m) {  // other sizes
        return m.summary.instructions < many ? std::string{} : joined_key(m.summary.name, size_of(m.summary));
      },
      [&](const linted_module& m) {
        const auto& [old_ones, new_ones] = namesakes[m.summary.name];
        return old_ones > 1 || new_ones > 1 ? std::string{} : joined_key(m.summary.name);
      });
}

/// Reports the modules of one side only, as one change with their summed need.
inline void add_lone_modules(const std::vector<linted_module>& side, const std::vector<std::size_t>& lone, bool is_new,
                             program_diff& out) {
  if (lone.empty()) return;
  module_change& change = out.changes.emplace_back();
  change.kind = change_kind::module;
  change.verdict = change_verdict::neither;
  change.count = 1;
  std::vector<std::size_t> order = lone;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return side[a].summary.memory.total > side[b].summary.memory.total;
  });
  const linted_module& largest = side[order.front()];
  change.file = largest.file();
  if (lone.size() == 1) {
    change.module = largest.summary.name;
    change.text = is_new ? "the module is new" : "the module is gone";
    if (largest.summary.memory.total > 0) change.text += ", with a need of " + human(largest.summary.memory.total);
  } else {
    checked_int64 need = 0;
    std::int64_t step = 0;
    for (const std::size_t i : lone) {
      need += side[i].summary.memory.total;
      const auto& time = side[i].summary.time;
      if (time && !time->device.empty()) step = (checked_int64(step) + time->step).clamped();
    }
    change.text = std::to_string(lone.size()) + (is_new ? " modules are new" : " modules are gone");
    if (need.clamped() > 0) change.text += ", with a need of " + human(need.clamped()) + " together";
    if (step > 0) change.text += ", and " + amount_text(step, number_unit::nanoseconds) + " if each runs once";
    for (const std::size_t i : order) (is_new ? change.after : change.before).push_back(side[i].summary.name);
  }
}

}  // namespace detail

/// Compares the modules that match. A module without a partner is neither worse nor better.
inline program_diff diff(const std::vector<linted_module>& before, const std::vector<linted_module>& after,
                         const diff_options& options = {}) {
  matched_entries found = detail::match_modules(before, after);
  // The program that matters comes first.
  std::stable_sort(found.pairs.begin(), found.pairs.end(), [&](const auto& a, const auto& b) {
    const auto key = [&](const auto& pair) {
      const module_summary &one = before[pair.first].summary, &other = after[pair.second].summary;
      return std::tuple(one.helper && other.helper, -std::max(one.memory.total, other.memory.total),
                        -static_cast<std::int64_t>(std::max(one.instructions, other.instructions)));
    };
    return key(a) < key(b);
  });
  program_diff out;
  out.counted = options.fail_on_kinds;
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
    if (!before[i].summary.helper || !after[j].summary.helper) ++out.programs;
    detail::diff_module(before[i], after[j], options, out);
  }
  detail::add_lone_modules(after, found.added, true, out);
  detail::add_lone_modules(before, found.gone, false, out);
  return out;
}

}  // namespace hlolint::compare
