// The dimension order in which a tiled array would take least memory (sizes.md 4).
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hlolint {

/// A layout with the same tiles and another dimension order.
struct dimension_order {
  dimension_numbers minor_to_major;  ///< logical dimensions, the most minor first
  byte_count padded = 0;  ///< bytes with it, padding included
};

/// Arrays of more dimensions are left as they are.
inline constexpr std::size_t most_tried_dimensions = 12;

/// The dimension order that costs least with the array's own tiles; nothing if none is cheaper than the present one.
/// Of equals the one that keeps most of the present order. Tiles of more than three dimensions are not tried.
inline optional<dimension_order> best_dimension_order(const shape& array) {
  if (!array.is_array() || !array.layout || array.layout->tiles.empty()) return std::nullopt;
  const auto present = byte_size(array, size_rule::tpu_tiled);
  const std::size_t cut = std::min(array.layout->tiles.front().dimensions.size(), array.rank());
  // With more dimensions than any real array has there are too many orders to try.
  if (!present || cut == 0 || cut > 3 || array.rank() > most_tried_dimensions) return std::nullopt;

  optional<dimension_order> best;
  shape tried = array;
  const dimension_numbers& order = array.layout->minor_to_major;
  record_list<std::size_t> chosen;  // positions in `order` that become the most minor dimensions
  const auto choose = [&](const auto& self) -> void {
    if (chosen.size() < cut) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
        chosen.push_back(i);
        self(self);
        chosen.pop_back();
      }
      return;
    }
    dimension_numbers& next = tried.layout->minor_to_major;
    next.clear();
    for (const std::size_t i : chosen) next.push_back(order[i]);
    for (std::size_t i = 0; i < order.size(); ++i)
      if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) next.push_back(order[i]);
    const auto size = byte_size(tried, size_rule::tpu_tiled);
    if (size && *size < (best ? best->padded : *present)) best = dimension_order{next, *size};
  };
  choose(choose);
  return best;
}

/// An array laid out anew, and what it would take then.
struct better_layout {
  shape array;  ///< the array with the new layout
  byte_count padded = 0;  ///< bytes with it, padding included
};

/// The best dimension order as a shape, if it saves at least `least_share` of the present size.
inline optional<better_layout> find_better_layout(const shape& array, double least_share) {
  const auto present = byte_size(array, size_rule::tpu_tiled);
  const auto best = best_dimension_order(array);
  if (!best || static_cast<double>((checked_int64(*present) - best->padded).clamped()) <
                   least_share * static_cast<double>(*present))
    return std::nullopt;
  better_layout out{array, best->padded};
  out.array.layout->minor_to_major = best->minor_to_major;
  return out;
}

}  // namespace hlolint
