// Equality of shardings: every device gets the same part of an array, whatever the notation (hlo_text.md 7).
#pragma once

#include <hlolint/ir/sharding.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// The number of last `tiles` of a tiled sharding that are not dimensions of the array.
inline std::size_t subgroup_count(const sharding& s) {
  return s.last_tile_dims.empty() ? std::size_t{s.replicate_last_tile_dim} : s.last_tile_dims.size();
}

/// The devices along a part of an axis, and the distance of neighbors along the axis. Nothing if the axis is not in
/// the mesh or cannot be split into such parts.
inline std::optional<std::pair<std::int64_t, std::int64_t>> size_and_step(const device_mesh& mesh,
                                                                          const axis_reference& part) {
  const auto at = find_axis(mesh, part.axis);
  if (!at) return std::nullopt;
  const std::int64_t all = mesh.axes[*at].size;
  if (!part.pre_size) return std::pair(all, std::int64_t{1});
  const auto taken = checked_multiply(*part.pre_size, part.size);
  if (!taken || *taken < 1 || part.size < 1 || all % *taken != 0) return std::nullopt;
  return std::pair(part.size, all / *taken);
}

/// The number of devices of a tiled or named sharding; nothing beyond 64 bits.
inline std::optional<std::int64_t> device_count(const sharding& s) {
  if (s.written == sharding::kind::tiled) return s.devices.size();
  std::vector<std::int64_t> sizes;
  for (const device_mesh::axis& axis : s.mesh.axes) sizes.push_back(axis.size);
  return checked_product(sizes);
}

/// Each device and its tile, sorted by device; tiles count row by row. Precondition: `tiles_of(s)` has a value, and
/// `count` is `device_count(s)`.
inline std::vector<std::pair<std::int64_t, std::int64_t>> tile_of_devices(const sharding& s, std::int64_t count) {
  std::vector<std::pair<std::int64_t, std::int64_t>> out;
  if (count == 0) return out;  // else every size is at least 1
  out.reserve(static_cast<std::size_t>(count));
  if (s.written == sharding::kind::tiled) {
    std::int64_t copies = 1;
    for (std::size_t i = s.tiles.size() - subgroup_count(s); i < s.tiles.size(); ++i) copies *= s.tiles[i];
    for (std::int64_t i = 0; i < count; ++i) out.emplace_back(s.devices[i], i / copies);
  } else {
    // The parts of axes that cut the array, the most major first. The position in the mesh divided by `divisor`, modulo
    // `size`, is the position along the part.
    struct cut {
      std::int64_t divisor, size;
    };
    std::vector<cut> cuts;
    for (const sharding::dimension& d : s.dimensions)
      for (const axis_reference& part : d.axes) {
        const auto [size, step] = *size_and_step(s.mesh, part);
        std::int64_t inner = step;
        for (std::size_t a = *find_axis(s.mesh, part.axis) + 1; a < s.mesh.axes.size(); ++a)
          inner *= s.mesh.axes[a].size;
        cuts.push_back({.divisor = inner, .size = size});
      }
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t tile = 0;
      for (const cut& c : cuts) tile = tile * c.size + i / c.divisor % c.size;
      out.emplace_back(s.mesh.has_devices ? s.mesh.devices[i] : i, tile);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace detail

/// The number of tiles of each dimension of an array; empty if every device holds all of it. Nothing for tuples,
/// numbers beyond 64 bits, and maximal, manual, unknown or unreduced shardings.
inline std::optional<std::vector<std::int64_t>> tiles_of(const sharding& s) {
  std::vector<std::int64_t> out;
  if (s.written == sharding::kind::tiled) {
    const std::size_t subgroups = detail::subgroup_count(s);
    if (std::ranges::any_of(s.last_tile_dims,
                            [](sharding::subgroup kind) { return kind != sharding::subgroup::replicated; }) ||
        subgroups > s.tiles.size())
      return std::nullopt;
    out.assign(s.tiles.begin(), s.tiles.end() - static_cast<std::ptrdiff_t>(subgroups));
  } else if (s.written == sharding::kind::named) {
    if (!s.unreduced.empty() || !s.manual.empty()) return std::nullopt;
    for (const sharding::dimension& d : s.dimensions) {
      std::int64_t& tiles = out.emplace_back(1);
      for (const axis_reference& part : d.axes) {
        const auto along = detail::size_and_step(s.mesh, part);
        const auto product = along ? checked_multiply(tiles, along->first) : std::nullopt;
        if (!product) return std::nullopt;
        tiles = *product;
      }
    }
  } else if (s.written != sharding::kind::replicated) {
    return std::nullopt;
  }
  if (!checked_product(out)) return std::nullopt;
  if (std::ranges::all_of(out, [](std::int64_t tiles) { return tiles == 1; })) out.clear();
  return out;
}

/// Whether every device holds all of the array.
inline bool is_replicated(const sharding& s) {
  const auto tiles = tiles_of(s);
  return tiles && tiles->empty();
}

/// Whether two shardings of one array, or two tuples of them, are equivalent, whether written as lists of devices,
/// iotas or meshes. Shardings over more than a million devices, and those without `tiles_of`, must be written alike.
inline bool same_sharding(const sharding& a, const sharding& b) {
  if (a == b) return true;
  if (a.written == sharding::kind::tuple || b.written == sharding::kind::tuple)
    return a.written == b.written &&
           std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(), same_sharding);
  const auto tiles = tiles_of(a);
  if (!tiles || tiles != tiles_of(b)) return false;
  if (tiles->empty()) return true;
  const auto count = detail::device_count(a);
  return count && *count <= 1'000'000 && count == detail::device_count(b) &&
         detail::tile_of_devices(a, *count) == detail::tile_of_devices(b, *count);
}

}  // namespace hlolint
