// What takes more or less memory in a module that was compiled again.
#pragma once

#include <hlolint/compare/diff_options.hpp>
#include <hlolint/compare/module_summary.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::compare::detail {

/// Peak, totals and so on: all numbers that grew are one change, named by the first of them, and all that shrank
/// another.
inline void diff_memory(const module_summary& before, const module_summary& after, const diff_options& options,
                        std::vector<module_change>& out) {
  if (!before.has_assignment || !after.has_assignment) return;
  const bool live_ranges = before.has_live_ranges && after.has_live_ranges;
  std::vector<changed_bytes> numbers;
  if (live_ranges) numbers.push_back({"peak", before.memory.peak, after.memory.peak});
  numbers.push_back({"total", before.memory.total, after.memory.total});
  numbers.push_back({"temp", before.memory.temp, after.memory.temp});
  std::map<std::int64_t, std::pair<byte_count, byte_count>> spaces;
  for (const memory_space_summary& space : before.spaces) spaces[space.color].first = space.bytes;
  for (const memory_space_summary& space : after.spaces) spaces[space.color].second = space.bytes;
  if (spaces.size() > 1)  // else it is the total
    for (const auto& [color, bytes] : spaces)
      numbers.push_back({"memory space " + std::to_string(color), bytes.first, bytes.second});
  if (live_ranges) {
    numbers.push_back({"padding at the peak", before.padding, after.padding});
    numbers.push_back({"fragmentation", before.fragmentation, after.fragmentation});
  }
  for (const change_verdict verdict : {change_verdict::worse, change_verdict::better}) {
    std::optional<module_change> change;
    for (const changed_bytes& number : numbers) {
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
      change->text = number.what + (verdict == change_verdict::worse ? " grew" : " shrank");
      change->bytes = number;
    }
    if (change) out.push_back(std::move(*change));
  }
}

}  // namespace hlolint::compare::detail
