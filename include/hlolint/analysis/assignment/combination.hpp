// The last step of XLA's buffer assigner: temporary allocations of one memory space become one (assignment.md 6).
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace hlolint {

/// An allocation before and after it is combined.
struct combined_allocation {
  byte_count size = 0;      ///< bytes
  std::int64_t color = 0;   ///< memory space
  bool temporary = false;   ///< neither parameter nor constant, nor live-out, nor thread-local
};

/// Where an allocation went.
struct combined_place {
  std::uint32_t allocation = 0;  ///< its new number
  byte_count offset = 0;         ///< where it begins there
};

/// Numbers all allocations anew: those that are not temporary come first, then the temporary ones, each memory space as
/// one. `allocations` become the new ones; what is returned is where each of them went. A size that does not fit into
/// 63 bits is the largest number. Linear, up to the number of memory spaces.
inline record_list<combined_place> combine_allocations(record_list<combined_allocation>& allocations,
                                                       byte_count alignment) {
  // As std::partition does for bidirectional iterators: it swaps, so that the first temporary ones end up last.
  record_list<std::uint32_t> order(allocations.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto temporary = [&](std::size_t at) { return allocations[order[at]].temporary; };
  std::size_t low = 0, high = order.size();
  while (true) {
    while (low < high && !temporary(low)) ++low;
    if (low == high) break;
    --high;
    while (low < high && temporary(high)) --high;
    if (low == high) break;
    std::swap(order[low++], order[high]);
  }
  record_list<combined_place> places(allocations.size());
  record_list<combined_allocation> out;
  std::map<std::int64_t, std::uint32_t> first_of_color;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const combined_allocation& a = allocations[order[at]];
    const auto number = static_cast<std::uint32_t>(out.size());
    if (a.temporary) {
      const auto [known, is_new] = first_of_color.try_emplace(a.color, number);
      if (!is_new) {
        combined_allocation& whole = out[known->second];
        const auto raised = checked_add(whole.size, alignment - 1);
        const byte_count base = raised ? *raised & -alignment : std::numeric_limits<byte_count>::max();
        places[order[at]] = {known->second, base};
        whole.size = (checked_int64(base) + a.size).clamped();
        continue;
      }
    }
    places[order[at]] = {number, 0};
    out.push_back(a);
  }
  allocations = std::move(out);
  return places;
}

}  // namespace hlolint
