// The contents of memory at a schedule position.
#pragma once

#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace hlolint {

/// Bytes in use, and their user.
struct resident_item {
  std::uint32_t allocation = 0;          ///< position in `allocations()`
  std::optional<std::uint32_t> value{};  ///< position in `values()`; nothing: unused at that position
  byte_count bytes = 0;                  ///< in use
};

/// The contents of memory at a schedule position, the largest first. A temporary allocation gives one item for each
/// live chunk and one for its unused bytes; every other allocation, which is there all the time, gives one item.
/// Without a position, temporary allocations are one item each. The bytes sum to the need unless values overlap: only
/// allocations that count in it are listed. O(n log n).
inline std::vector<resident_item> resident_at(const live_chunks& chunks, std::optional<std::int64_t> position,
                                              target on = target::unknown) {
  const buffer_dump& dump = chunks.dump();
  std::vector<resident_item> out;
  const auto lives = [&](std::uint32_t value) {
    const live_range* const range = position ? chunks.table().range(value) : nullptr;
    return range && range->start <= *position && *position <= range->end;
  };
  // Whether an allocation that is there all the time is listed with one value rather than with another.
  const auto stands_for = [&](const allocation& in, std::uint32_t value, std::uint32_t other) {
    if (lives(value) != lives(other)) return lives(value);
    const byte_count bytes = dump.values()[value].size, of_other = dump.values()[other].size;
    if (bytes != of_other) return bytes > of_other;
    const live_range *const range = chunks.table().range(value), *const of_that = chunks.table().range(other);
    return in.maybe_live_out && !in.parameter && range && of_that && range->end > of_that->end;  // the result
  };
  for (std::uint32_t a = 0; a < dump.allocations().size(); ++a) {
    const allocation& whole = dump.allocations()[a];
    if (whole.size <= 0 || !memory_need::counts(whole, on)) continue;
    if (!whole.preallocated_temp) {
      resident_item item{a, {}, whole.size};
      for (std::uint32_t v = whole.first_value; v < whole.first_value + whole.value_count; ++v)
        if (!item.value || stands_for(whole, v, *item.value)) item.value = v;
      out.push_back(item);
      continue;
    }
    std::vector<const live_chunk*> found;
    if (position) detail::add_live_chunks(chunks, chunks.of_allocation(a), *position, found);
    checked_int64 rest = whole.size;
    for (const live_chunk* const c : found) {
      resident_item item{a, {}, c->size};
      for (const std::uint32_t v : chunks.values(*c))
        if (lives(v) && !item.value) item.value = v;
      rest -= c->size;
      out.push_back(item);
    }
    if (rest.clamped() > 0) out.push_back({a, {}, rest.clamped()});
  }
  std::stable_sort(out.begin(), out.end(), [](const resident_item& x, const resident_item& y) {
    return in_order(y.bytes, x.bytes, x.allocation, y.allocation, x.value, y.value);
  });
  return out;
}

}  // namespace hlolint
