// An assignment of buffers, allocations and the place of each value, and its last step (assignment.md 6).
#pragma once

#include <hlolint/analysis/assignment/storage_sets.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

namespace hlolint {

/// An allocation, with flags as in a buffer dump.
struct planned_allocation {
  byte_count size = 0;                       ///< bytes
  std::int64_t color = 0;                    ///< memory space
  storage_kind kind = storage_kind::shared;  ///< of its alias set; shared for the heap
  std::uint32_t parameter = none;            ///< the value that is an entry parameter
  bool lives_out = false;                    ///< it holds a result of the program
  /// Whether it is combined with others of its memory space.
  bool is_temporary() const {
    return kind != storage_kind::parameter && kind != storage_kind::constant && kind != storage_kind::thread_local_ &&
           !lives_out;
  }
};

/// Where a value lies.
struct planned_value {
  std::uint32_t allocation = none;  ///< position in `allocations`; `none` if it has no storage
  byte_count offset = 0;            ///< from the beginning of the allocation
  byte_count size = 0;              ///< of its alias set
};

/// An assignment for one order of the instructions.
struct buffer_plan {
  std::vector<planned_allocation> allocations;  ///< by number
  std::vector<planned_value> values;            ///< by position in the dataflow's `values()`
  std::vector<time_span> ranges;                ///< likewise; an empty range ends before it starts
  /// All positions of the schedule.
  flat_schedule schedule;
  byte_count total = 0;        ///< sum of all allocations
  byte_count temporaries = 0;  ///< sum of the temporary ones
  byte_count need = 0;         ///< sum of those that count in the need (`counts_in_need`)
  bool is_exact = true;        ///< false if the search was cut short, or sizes do not fit into 63 bits
};

/// The place of an allocation after combination.
struct combined_place {
  std::uint32_t allocation = 0;  ///< its new number
  byte_count offset = 0;         ///< where it begins there
};

/// Combines the temporary allocations of each memory space into one and numbers all anew, those that are not temporary
/// first. `allocations` become the new ones; returns the new place of each old one. A size that does not fit into 63
/// bits is the largest number. Linear, up to the number of memory spaces.
inline std::vector<combined_place> combine_allocations(std::vector<planned_allocation>& allocations,
                                                       byte_count alignment) {
  // As XLA does. For bidirectional iterators it swaps from both ends, so that the first temporary ones end up last.
  std::vector<std::uint32_t> order(allocations.size());
  std::iota(order.begin(), order.end(), 0u);
  std::partition(order.begin(), order.end(), [&](std::uint32_t i) { return !allocations[i].is_temporary(); });
  std::vector<combined_place> places(allocations.size());
  std::vector<planned_allocation> out;
  std::map<std::int64_t, std::uint32_t> first_of_color;
  for (const std::uint32_t old : order) {
    const planned_allocation& a = allocations[old];
    const auto number = static_cast<std::uint32_t>(out.size());
    if (a.is_temporary()) {
      const auto [known, is_new] = first_of_color.try_emplace(a.color, number);
      if (!is_new) {
        planned_allocation& whole = out[known->second];
        const auto raised = checked_add(whole.size, alignment - 1);
        const byte_count base = raised ? *raised & -alignment : std::numeric_limits<byte_count>::max();
        places[old] = {known->second, base};
        whole.size = (checked_int64(base) + a.size).clamped();
        continue;
      }
    }
    places[old] = {number, 0};
    out.push_back(a);
  }
  allocations = std::move(out);
  return places;
}

}  // namespace hlolint
