// What takes more or less memory in a module that was compiled again.
#pragma once

#include <hlolint/compare/origin_diff.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace hlolint::compare::detail {

/// Need, peak, temporaries and so on: all numbers that grew are one change, named by the first of them, and all that
/// shrank another. Below them the lines and kinds of instructions that take more, or less, at the peak.
inline void diff_memory(const module_summary& before, const module_summary& after, const diff_options& options,
                        record_list<module_change>& out) {
  if (!before.has_memory || !after.has_memory) return;
  const bool live_ranges = before.has_live_ranges && after.has_live_ranges;
  record_list<changed_number> numbers;  // the first is the one that a change is named by
  const auto add = [&](const std::string& what, byte_count was, byte_count is) {
    numbers.push_back({what, was, is, number_unit::bytes});
  };
  if (live_ranges) add("peak", before.memory.peak, after.memory.peak);
  add("need", before.memory.total, after.memory.total);
  add("temporaries", before.memory.temp, after.memory.temp);
  std::map<std::int64_t, std::pair<byte_count, byte_count>> spaces;
  for (const memory_space_summary& space : before.spaces) spaces[space.color].first = space.bytes;
  for (const memory_space_summary& space : after.spaces) spaces[space.color].second = space.bytes;
  if (spaces.size() > 1)  // else it is the total
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

}  // namespace hlolint::compare::detail
