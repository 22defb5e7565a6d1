// Changes of memory and of estimated time in a module that was compiled again.
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/compare/matched_entries.hpp>
#include <hlolint/tool/compare/module_change.hpp>
#include <hlolint/tool/compare/module_summary.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::compare::detail {

/// The total on both sides of which origins are parts.
struct origin_totals {
  std::int64_t before = 0, after = 0;
};

/// Adds the five lines of the program and the three kinds of instructions that changed most, in the direction of a
/// verdict or else in either, and then what is left of the totals after each of the two lists, so that the lines of a
/// list add up.
inline void add_origins(const origins_summary& before, const origins_summary& after, const change_tolerance& tolerance,
                        number_unit unit, std::optional<change_verdict> wanted, std::optional<origin_totals> totals,
                        std::vector<changed_number>& out) {
  const auto add = [&](const std::vector<origin_summary>& was, const std::vector<origin_summary>& is,
                       const std::string& title, const std::string& rest, std::size_t most) {
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> both;
    for (const origin_summary& one : was) both[one.name].first = one.amount;
    for (const origin_summary& one : is) both[one.name].second = one.amount;
    std::vector<changed_number> changed;
    for (const auto& [name, amounts] : both)
      if (!tolerance.covers(amounts.first, amounts.second) &&
          (!wanted || (amounts.second > amounts.first) == (*wanted == change_verdict::worse)))
        changed.push_back({name + title, amounts.first, amounts.second, unit});
    if (changed.empty()) return;
    const auto size = [](const changed_number& n) {
      return n.after > n.before ? n.before - n.after : n.after - n.before;
    };
    std::stable_sort(changed.begin(), changed.end(),
                     [&](const changed_number& a, const changed_number& b) { return size(a) < size(b); });
    changed.resize(std::min(changed.size(), most));
    changed_number left{rest, totals ? totals->before : 0, totals ? totals->after : 0, unit};
    for (const changed_number& one : changed) {
      left.before = (checked_int64(left.before) - one.before).clamped();
      left.after = (checked_int64(left.after) - one.after).clamped();
    }
    std::move(changed.begin(), changed.end(), std::back_inserter(out));
    if (totals && left.before >= 0 && left.after >= 0 && !tolerance.covers(left.before, left.after))
      out.push_back(std::move(left));
  };
  add(before.by_source, after.by_source, "", "all other lines", 5);
  add(before.by_kind, after.by_kind, " in all", "all other kinds", 3);
}

/// Compares the need, the peak, the temporaries and so on. All numbers that grew are one change, named after the first
/// of them; all that shrank are another. Each lists the lines and kinds of instructions that take more, or less, at the
/// peak.
inline void diff_memory(const module_summary& before, const module_summary& after, const diff_options& options,
                        std::vector<module_change>& out) {
  if (!before.has_memory || !after.has_memory) return;
  const bool live_ranges = before.has_live_ranges && after.has_live_ranges;
  std::vector<changed_number> numbers;  // most important first: the first gives a change its name
  const auto add = [&](const std::string& what, byte_count was, byte_count is) {
    numbers.push_back({what, was, is, number_unit::bytes});
  };
  if (live_ranges) add("peak", before.memory.peak, after.memory.peak);
  add("need", before.memory.total, after.memory.total);
  add("temporaries", before.memory.temp, after.memory.temp);
  std::map<std::int64_t, std::pair<byte_count, byte_count>> spaces;
  for (const memory_space_summary& space : before.spaces) spaces[space.color].first = space.bytes;
  for (const memory_space_summary& space : after.spaces) spaces[space.color].second = space.bytes;
  if (spaces.size() > 1)  // one space is the total
    for (const auto& [color, bytes] : spaces) add("memory space " + std::to_string(color), bytes.first, bytes.second);
  if (live_ranges) add("padding at the peak", before.padding, after.padding);
  const bool estimated = before.memory_is_estimated || after.memory_is_estimated;
  if (live_ranges && !estimated) add("fragmentation", before.fragmentation, after.fragmentation);
  const std::string by = !estimated                                                ? ""
                         : before.memory_is_estimated == after.memory_is_estimated ? " (estimated from the HLO)"
                         : before.memory_is_estimated ? " (the old one is estimated from the HLO)"
                                                      : " (the new one is estimated from the HLO)";
  for (const change_verdict verdict : {change_verdict::worse, change_verdict::better}) {
    std::optional<module_change> change;
    for (const changed_number& number : numbers) {
      if (options.tolerance.covers(number.before, number.after) ||
          (number.after > number.before) != (verdict == change_verdict::worse))
        continue;
      if (change) {
        change->with.push_back(number);
        continue;
      }
      change.emplace();
      change->kind = change_kind::memory;
      change->verdict = verdict;
      change->text = number.what + (verdict == change_verdict::worse ? " grew" : " shrank") + by;
      change->number = number;
    }
    if (!change) continue;
    if (live_ranges)
      add_origins(before.at_peak, after.at_peak, options.tolerance, number_unit::bytes, verdict, std::nullopt,
                  change->with);
    out.push_back(std::move(*change));
  }
}

/// `, 2 calls are unknown and counted by the bytes they move at least, 1 loop is assumed to run as often as its
/// condition suggests`; empty if all calls and loops are known.
inline std::string unknown_text(const time_summary& before, const time_summary& after) {
  const auto counted = [](std::size_t was, std::size_t is, const std::string& what, const char* then) {
    const std::size_t count = std::max(was, is);
    if (count == 0) return std::string{};
    return ", " + std::to_string(count) + " " + what + (count == 1 ? " is " : "s are ") + then;
  };
  return counted(before.unknown_calls.size(), after.unknown_calls.size(), "call",
                 "unknown and counted by the bytes they move at least") +
         counted(before.unknown_loops, after.unknown_loops, "loop", "counted once, as the number of runs is unknown") +
         counted(before.assumed_loops, after.assumed_loops, "loop",
                 "assumed to run as often as its condition suggests");
}

/// Adds a change for each target of calls of unknown time that only one side has, or both in different numbers, with
/// other operands, results or configurations. Returns whether the old and the new side have such calls.
inline std::pair<bool, bool> diff_unknown_calls(const time_summary& before, const time_summary& after,
                                                std::vector<module_change>& out) {
  const matched_entries found =
      match_entries(before.unknown_calls, after.unknown_calls, [](const unknown_call& c) { return c.key; });
  std::map<std::string, std::pair<std::vector<std::string>, std::vector<std::string>>> by_target;
  for (const std::size_t i : found.gone)
    by_target[before.unknown_calls[i].target].first.push_back(before.unknown_calls[i].instruction);
  for (const std::size_t j : found.added)
    by_target[after.unknown_calls[j].target].second.push_back(after.unknown_calls[j].instruction);
  for (const auto& [target, names] : by_target) {
    const bool changed = !names.first.empty() && !names.second.empty();
    module_change& change = add_change(out, change_kind::time, change_verdict::neither,
                                       target + (changed                ? " changed; its time is not known"
                                                 : names.second.empty() ? " is gone; its time is not known"
                                                                        : " is new; its time is not known"));
    change.count = std::max(names.first.size(), names.second.size());
    for (const std::string& name : names.first) change.before.push_back(name);
    for (const std::string& name : names.second) change.after.push_back(name);
  }
  return {!found.gone.empty(), !found.added.empty()};
}

/// Compares the estimated step, and lists the parts, lines and kinds of instructions that changed with it. A side with
/// calls of unknown time that the other one has not is a lower bound: the step is reported as better or worse only if
/// it is so whatever those calls take. Without a known device, only the ratio is meaningful, and no time is given.
inline void diff_time(const module_summary& before, const module_summary& after, const diff_options& options,
                      std::vector<module_change>& out) {
  if (!before.time || !after.time || before.time->device != after.time->device) return;
  const time_summary &was = *before.time, &is = *after.time;
  const auto [old_is_bound, new_is_bound] = diff_unknown_calls(was, is, out);
  const auto counts = [&](std::int64_t a, std::int64_t b) { return !options.time_tolerance().covers(a, b); };
  if (!counts(was.step, is.step)) return;
  const bool longer = is.step > was.step, is_certain = !(longer ? old_is_bound : new_is_bound);
  module_change& change = add_change(
      out, change_kind::time,
      !is_certain ? change_verdict::neither
      : longer    ? change_verdict::worse
                  : change_verdict::better,
      is_certain ? std::string("estimated step ") + (longer ? "takes longer" : "takes less time")
                 : std::string("estimated step without what is not known; it may have changed the other way"));
  if (was.device.empty()) {
    const double ratio = was.step > 0 ? static_cast<double>(is.step) / static_cast<double>(was.step) : 0;
    change.text += ": " + number_text(ratio) + " times as long on a device of usual ratios (name one with --device)";
    return;
  }
  change.text += " on " + was.device + unknown_text(was, is);
  change.number = changed_number{"step", was.step, is.step, number_unit::nanoseconds};
  const auto add = [&](const std::string& what, std::int64_t a, std::int64_t b) {
    if (counts(a, b)) change.with.push_back({what, a, b, number_unit::nanoseconds});
  };
  add("waiting for transfers", was.exposed, is.exposed);
  if (std::max(was.guessed, is.guessed) > 0 && counts(0, std::max(was.guessed, is.guessed))) {
    change.number->is_rough = true;
    change.text += ", with a guess for the rate of the network between domains (--nic)";
    change.with.push_back({"waiting for that network", was.guessed, is.guessed, number_unit::nanoseconds, true});
  }
  add("work", was.compute, is.compute);  // of which the lines after it are parts
  add_origins(was.origins, is.origins, options.time_tolerance(), number_unit::nanoseconds, std::nullopt,
              origin_totals{was.compute, is.compute}, change.with);
}

/// Compares how often each operation stands in the program, for modules without any other difference.
inline void diff_operations(const module_summary& before, const module_summary& after,
                            std::vector<module_change>& out) {
  if (!before.has_hlo || !after.has_hlo || before.operations == after.operations) return;
  std::string gone, added;
  std::size_t listed = 0;
  const auto list = [&](const std::map<std::string, std::size_t>& in, const std::map<std::string, std::size_t>& less,
                        std::string& to) {
    for (const auto& [name, count] : in) {
      const auto other = less.find(name);
      if (count <= (other == less.end() ? 0 : other->second)) continue;
      if (++listed <= 8) to += (to.empty() ? "" : ", ") + name;
    }
  };
  list(after.operations, before.operations, added), list(before.operations, after.operations, gone);
  add_change(out, change_kind::program, change_verdict::neither,
             std::string("the same cost, but not the same program") + (added.empty() ? "" : "; more of: " + added) +
                 (gone.empty() ? "" : "; less of: " + gone) + (listed > 8 ? " and others" : ""));
}

}  // namespace hlolint::compare::detail
