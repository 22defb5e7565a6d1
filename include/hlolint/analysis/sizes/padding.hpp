// The padding of a tiled layout, its causes, and better layouts (sizes.md 4, 6).
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

/// An extent that the first tile rounds up.
struct padded_extent {
  std::size_t minor_position = 0;        ///< 0 = most minor
  std::optional<std::size_t> dimension;  ///< logical dimension; nothing if there is none, or `*` merged several
  std::int64_t from = 0;                 ///< extent before the first tile
  std::int64_t to = 0;                   ///< stored extent
  friend bool operator==(const padded_extent&, const padded_extent&) = default;
};

/// The cost of a layout in bytes, and its causes.
struct padding_cost {
  byte_count padded = 0;               ///< bytes with padding
  byte_count dense = 0;                ///< bytes of the elements alone
  std::vector<padded_extent> extents;  ///< the most minor first
  std::int64_t dense_bits = 0;         ///< of one element
  std::int64_t stored_bits = 0;        ///< more than `dense_bits` if the layout widens elements: `pred[...]{...E(32)}`

  /// Bytes of padding.
  byte_count waste() const { return (checked_int64(padded) - dense).clamped(); }
  /// Padded bytes over dense bytes; 1 without elements.
  double ratio() const { return dense == 0 ? 1.0 : static_cast<double>(padded) / static_cast<double>(dense); }
};

/// The padding of an array; nothing for other shapes and unknown sizes. An array without tiles can still be padded at
/// its end (`L(n)`) or by wide elements (`E(n)`).
inline std::optional<padding_cost> explain_padding(const shape& array) {
  auto padded = byte_size(array, size_rule::tpu_tiled);
  // The whole blocks of an array without tiles are no waste that another layout could avoid.
  if (array.is_array() && takes_whole_blocks(array)) {
    const auto elements = array.layout ? detail::tiled_elements(array) : detail::dense_elements(array);
    padded = elements ? detail::bytes_of(*elements, detail::stored_bits(array)) : std::nullopt;
  }
  const auto dense = dense_size(array);
  if (!array.is_array() || !padded || !dense) return std::nullopt;
  const std::int64_t bits = std::int64_t{8} * byte_width(array.type);
  padding_cost out{*padded, *dense, {}, bits, bits};
  if (!array.layout) return out;
  if (array.layout->element_size_in_bits > 0) {
    out.stored_bits = array.layout->element_size_in_bits;
    out.dense_bits = std::min(out.dense_bits, out.stored_bits);
  }
  if (array.layout->tiles.empty() || in_scalar_memory(array) || out.dense == 0) return out;

  // Only the first tile pads: XLA chooses inner tiles that divide it.
  const auto& steps = array.layout->tiles.front().dimensions;
  const dimension_numbers& order = array.layout->minor_to_major;
  const auto extents = detail::physical_extents(array);  // most major first
  const auto stored = [&](std::size_t minor_position) { return (*extents)[order.size() - 1 - minor_position]; };
  for (std::size_t i = 0; extents && i < steps.size(); ++i) {
    const std::int64_t step = steps[steps.size() - 1 - i];
    if (step == tile::combined) continue;
    padded_extent extent{i, std::nullopt, 1, 0};
    if (i < order.size()) {
      extent.dimension = static_cast<std::size_t>(order[i]);
      extent.from = stored(i);
    }
    for (std::size_t m = i + 1; m < steps.size() && steps[steps.size() - 1 - m] == tile::combined; ++m) {
      extent.dimension.reset();
      // With an overflow, the size would be unknown.
      if (m < order.size()) extent.from = (checked_int64(extent.from) * stored(m)).clamped();
    }
    extent.to = (checked_int64(extent.from / step + (extent.from % step != 0)) * step).clamped();
    if (extent.to != extent.from) out.extents.push_back(extent);
  }
  return out;
}

/// `minor dimension 200 -> 256, second minor dimension 3 -> 8`: the effect of the tile; empty if it pads nothing.
inline std::string extents_text(const padding_cost& p) {
  std::string out;
  for (const padded_extent& e : p.extents) {
    static constexpr const char* positions[] = {"minor", "second minor", "third minor"};
    if (!out.empty()) out += ", ";
    out += e.minor_position < 3 ? std::string(positions[e.minor_position])
                                : std::to_string(e.minor_position + 1) + "th minor";
    out += e.dimension ? " dimension " : " extent ";
    out += std::to_string(e.from) + " -> " + std::to_string(e.to);
  }
  return out;
}

/// `extents_text` with `element width 8 -> 32 bits`; empty if nothing is padded.
inline std::string to_string(const padding_cost& p) {
  std::string out = extents_text(p);
  if (p.stored_bits > p.dense_bits) {
    if (!out.empty()) out += ", ";
    out += "element width " + std::to_string(p.dense_bits) + " -> " + std::to_string(p.stored_bits) + " bits";
  }
  return out;
}

/// An array with another layout.
struct better_layout {
  shape array;            ///< the array with the new layout
  byte_count padded = 0;  ///< bytes with it, padding included
};

/// Other orders are not tried for arrays of more dimensions.
inline constexpr std::size_t most_tried_dimensions = 12;

namespace detail {

// The first tile as libtpu chooses it for the array's dimension order: as many rows as the second minor dimension
// needs, a power of two, at least those that share a word (`(2,1)`), at most `most`. Of other tiles nothing is known.
inline void choose_rows(shape& array, std::int64_t most) {
  layout& of = *array.layout;
  auto& first = of.tiles.front().dimensions;
  if (first.size() != 2 || first[0] == tile::combined || of.minor_to_major.size() < 2) return;
  const std::int64_t extent = array.dimensions[static_cast<std::size_t>(of.minor_to_major[1])].size;
  std::int64_t rows = of.tiles.size() > 1 ? std::max<std::int64_t>(of.tiles[1].dimensions.front(), 1) : 1;
  while (rows < most && rows < extent) rows *= 2;
  first[0] = rows;
}

}  // namespace detail

/// The array in the dimension order that costs least with the tiles that libtpu chooses for it (sizes.md 4); nothing if
/// that saves less than `least_share` of the present size, or nothing at all. Of equal ones the one with the largest
/// tile, then the one that keeps most of the present order. Tiles of more than three dimensions are not tried.
inline std::optional<better_layout> find_better_layout(const shape& array, double least_share) {
  if (!array.is_array() || !array.layout || array.layout->tiles.empty()) return std::nullopt;
  const auto present = byte_size(array, size_rule::tpu_tiled);
  const std::size_t cut = std::min(array.layout->tiles.front().dimensions.size(), array.rank());
  // More dimensions than any real array has would give too many orders.
  if (!present || cut == 0 || cut > 3 || array.rank() > most_tried_dimensions) return std::nullopt;

  better_layout best{array, *present};
  shape tried = array;
  const dimension_numbers& order = array.layout->minor_to_major;
  const auto most_rows = std::clamp<std::int64_t>(array.layout->tiles.front().dimensions.front(), 8, 1024);
  std::vector<std::size_t> chosen;  // positions in `order` that become the most minor dimensions
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
    if (next == order) return;
    detail::choose_rows(tried, most_rows);
    const auto size = byte_size(tried, size_rule::tpu_tiled);
    const auto rows_of = [](const shape& of) { return of.layout->tiles.front().dimensions.front(); };
    if (size && (*size < best.padded || (*size == best.padded && rows_of(tried) > rows_of(best.array))))
      best = {tried, *size};
  };
  choose(choose);
  const auto saved = static_cast<double>((checked_int64(*present) - best.padded).clamped());
  const bool is_better = saved > 0 && saved >= least_share * static_cast<double>(*present);
  return is_better ? std::optional(std::move(best)) : std::nullopt;
}

}  // namespace hlolint
