// Changes of memory and of estimated time in a module that was compiled again.
#pragma once

#include <hlolint/compare/module_change.hpp>
#include <hlolint/compare/module_summary.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <utility>

namespace hlolint::compare::detail {

/// Adds the five lines of the program and the three kinds of instructions that changed most in the direction of the
/// total, beyond the tolerance.
inline void add_origins(const origins_summary& before, const origins_summary& after, const change_tolerance& tolerance,
                        number_unit unit, bool grew, record_list<changed_number>& out) {
  const auto add = [&](const record_list<origin_summary>& was, const record_list<origin_summary>& is,
                       const std::string& title, std::size_t most) {
    ordered_map<std::string, std::pair<std::int64_t, std::int64_t>> both;
    for (const origin_summary& one : was) both[one.name].first = one.amount;
    for (const origin_summary& one : is) both[one.name].second = one.amount;
    record_list<changed_number> changed;
    for (const auto& [name, amounts] : both)
      if ((amounts.second > amounts.first) == grew && !tolerance.covers(amounts.first, amounts.second))
        changed.push_back({name + title, amounts.first, amounts.second, unit});
    const auto size = [](const changed_number& n) {
      return n.after > n.before ? n.before - n.after : n.after - n.before;
    };
    sort_records(changed, [&](const changed_number& a, const changed_number& b) { return size(a) < size(b); });
    changed.resize(std::min(changed.size(), most));
    std::move(changed.begin(), changed.end(), std::back_inserter(out));
  };
  add(before.by_source, after.by_source, "", 5);
  add(before.by_kind, after.by_kind, " in all", 3);
}

/// Compares the need, the peak, the temporaries and so on. All numbers that grew are one change, named after the first
/// of them; all that shrank are another. Each lists the lines and kinds of instructions that take more, or less, at the
/// peak.
inline void diff_memory(const module_summary& before, const module_summary& after, const diff_options& options,
                        record_list<module_change>& out) {
  if (!before.has_memory || !after.has_memory) return;
  const bool live_ranges = before.has_live_ranges && after.has_live_ranges;
  record_list<changed_number> numbers;  // most important first: the first gives a change its name
  const auto add = [&](const std::string& what, byte_count was, byte_count is) {
    numbers.push_back({what, was, is, number_unit::bytes});
  };
  if (live_ranges) add("peak", before.memory.peak, after.memory.peak);
  add("need", before.memory.total, after.memory.total);
  add("temporaries", before.memory.temp, after.memory.temp);
  ordered_map<std::int64_t, std::pair<byte_count, byte_count>> spaces;
  for (const memory_space_summary& space : before.spaces) spaces[space.color].first = space.bytes;
  for (const memory_space_summary& space : after.spaces) spaces[space.color].second = space.bytes;
  if (spaces.size() > 1)  // one space is the total
    for (const auto& [color, bytes] : spaces)
      add("memory space " + std::to_string(color), bytes.first, bytes.second);
  if (live_ranges) add("padding at the peak", before.padding, after.padding);
  const bool estimated = before.memory_is_estimated || after.memory_is_estimated;
  if (live_ranges && !estimated) add("fragmentation", before.fragmentation, after.fragmentation);
  const std::string by = !estimated                                                 ? ""
                         : before.memory_is_estimated == after.memory_is_estimated ? " (estimated from the HLO)"
                         : before.memory_is_estimated ? " (the old one is estimated from the HLO)"
                                                      : " (the new one is estimated from the HLO)";
  for (const change_verdict verdict : {change_verdict::worse, change_verdict::better}) {
    optional<module_change> change;
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
      add_origins(before.at_peak, after.at_peak, options.tolerance, number_unit::bytes,
                  verdict == change_verdict::worse, change->with);
    out.push_back(std::move(*change));
  }
}

/// `, 2 calls are unknown and counted by the bytes they move at least, 1 loop is assumed to run as often as its
/// condition suggests`; empty if all calls and loops are known.
inline std::string unknown_text(const time_summary& before, const time_summary& after) {
  const auto counted = [&](std::size_t time_summary::* part, const std::string& what, const char* then) {
    const std::size_t count = std::max(before.*part, after.*part);
    if (count == 0) return std::string{};
    return ", " + std::to_string(count) + " " + what + (count == 1 ? " is " : "s are ") + then;
  };
  return counted(&time_summary::unknown_calls, "call", "unknown and counted by the bytes they move at least") +
         counted(&time_summary::unknown_loops, "loop", "counted once, as the number of runs is unknown") +
         counted(&time_summary::assumed_loops, "loop", "assumed to run as often as its condition suggests");
}

/// Compares the estimated step, and lists the parts, lines and kinds of instructions that changed with it. Without a
/// known device, only the ratio is meaningful, and no time is given.
inline void diff_time(const module_summary& before, const module_summary& after, const diff_options& options,
                      record_list<module_change>& out) {
  if (!before.time || !after.time || before.time->device != after.time->device) return;
  const time_summary &was = *before.time, &is = *after.time;
  const auto counts = [&](std::int64_t a, std::int64_t b) { return !options.time_tolerance().covers(a, b); };
  if (!counts(was.step, is.step)) return;
  const bool worse = is.step > was.step;
  module_change& change = add_change(out, change_kind::time, worse ? change_verdict::worse : change_verdict::better,
                                     std::string("estimated step ") + (worse ? "takes longer" : "takes less time"));
  if (was.device.empty()) {
    const double ratio = was.step > 0 ? static_cast<double>(is.step) / static_cast<double>(was.step) : 0;
    char text[96];
    std::snprintf(text, sizeof text, ": %.3g times as long on a device of usual ratios (name one with --device)",
                  ratio);
    change.text += text;
    return;
  }
  change.text += " on " + was.device + unknown_text(was, is);
  change.number = changed_number{"step", was.step, is.step, number_unit::nanoseconds};
  const auto add = [&](const std::string& what, std::int64_t a, std::int64_t b) {
    if (counts(a, b) && (b > a) == worse) change.with.push_back({what, a, b, number_unit::nanoseconds});
  };
  add("work", was.compute, is.compute);
  add("waiting for transfers", was.exposed, is.exposed);
  add_origins(was.origins, is.origins, options.time_tolerance(), number_unit::nanoseconds, worse, change.with);
}

}  // namespace hlolint::compare::detail
