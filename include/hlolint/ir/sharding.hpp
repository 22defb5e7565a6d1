// How an array is spread over devices: shardings, meshes, device lists (hlo_text.md 7).
#pragma once

#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// Device numbers, listed or as an iota: 0, 1, ... in an array of the shape `reshape`, which is transposed by
/// `transpose` and read row by row.
struct device_list {
  std::vector<std::int64_t> listed;     ///< device ids as written
  std::vector<std::int64_t> reshape;    ///< empty if the devices are listed
  std::vector<std::int64_t> transpose;  ///< the order of all dimensions of `reshape`

  /// Whether it is written as an iota, `[2,2]<=[4]`, and not as a list.
  bool is_iota() const { return !reshape.empty(); }
  /// Nothing if the number does not fit in 64 bits.
  std::optional<std::int64_t> size() const {
    return is_iota() ? checked_product(reshape) : std::optional<std::int64_t>(static_cast<std::int64_t>(listed.size()));
  }
  /// Precondition: 0 <= i < size(), and `transpose` is a permutation.
  std::int64_t operator[](std::int64_t i) const {
    if (!is_iota()) return listed[static_cast<std::size_t>(i)];
    std::int64_t device = 0;
    for (std::size_t k = reshape.size(); k-- > 0;) {
      const auto from = static_cast<std::size_t>(transpose[k]);
      std::int64_t stride = 1;
      for (std::size_t inner = from + 1; inner < reshape.size(); ++inner) stride *= reshape[inner];
      device += i % reshape[from] * stride;
      i /= reshape[from];
    }
    return device;
  }
  friend bool operator==(const device_list&, const device_list&) = default;
};

/// `mesh['x'=2,'y'=4], device_ids=(...)` or `maximal_mesh[device_id=3]`
struct device_mesh {
  /// A named axis and how many devices lie along it.
  struct axis {
    std::string_view name;  ///< without quotes
    std::int64_t size = 0;  ///< devices along it
    friend bool operator==(const axis&, const axis&) = default;
  };
  std::vector<axis> axes;                      ///< most major first
  std::optional<std::int64_t> maximal_device;  ///< of `maximal_mesh`
  device_list devices;                         ///< empty: 0, 1, 2, ...
  bool has_devices = false;                    ///< whether `device_ids=` is written
  friend bool operator==(const device_mesh&, const device_mesh&) = default;
};

/// The position of an axis in the mesh, found by its name or its number; nothing if there is none.
inline std::optional<std::size_t> find_axis(const device_mesh& mesh, std::string_view name) {
  for (std::size_t i = 0; i < mesh.axes.size(); ++i)
    if (mesh.axes[i].name == name) return i;
  const auto at = integer_in<std::size_t>(name);
  return at && *at < mesh.axes.size() ? at : std::nullopt;
}

/// An axis `'x'`, or a part of one: `'x':(2)4` is a part of size 4 after parts whose product is 2.
struct axis_reference {
  std::string_view axis;                 ///< its name, or its number in the mesh
  std::optional<std::int64_t> pre_size;  ///< the product of the parts before it; nothing for a whole axis
  std::int64_t size = 0;                 ///< devices along the part; 0 for a whole axis
  friend bool operator==(const axis_reference&, const axis_reference&) = default;
};

/// One sharding, or a tuple of shardings in the order of the leaves.
struct sharding {
  static constexpr attribute_key key = attribute_key::sharding;  ///< of the attribute that it is the value of
  /// If several kinds are written, the first one in this order counts.
  enum class kind : std::uint8_t { replicated, maximal, manual, unknown, unreduced, tiled, named, tuple };
  /// The role of the devices along a last tile dimension.
  enum class subgroup : std::uint8_t { maximal, replicated, manual, unreduced };
  /// `shard_as 3` and `shard_like 3` tie shardings with the same number together.
  enum class relation : std::uint8_t { independent, shard_as, shard_like };
  /// How one dimension is cut.
  struct dimension {
    std::vector<axis_reference> axes;  ///< the axes that cut it, the most major first; may be empty
    bool open = false;                 ///< `?`: it may be cut further
    friend bool operator==(const dimension&, const dimension&) = default;
  };

  kind written = kind::tiled;              ///< the form in the text
  device_list devices;                     ///< of `maximal` one device
  std::vector<std::int64_t> tiles;         ///< of `tiled`; the last dimensions may be subgroups
  std::vector<subgroup> last_tile_dims;    ///< `last_tile_dims={manual, replicated}`
  bool replicate_last_tile_dim = false;    ///< `last_tile_dim_replicate`
  relation group = relation::independent;  ///< with `group_id`
  std::int64_t group_id = 0;               ///< shardings of one group belong together

  device_mesh mesh;                   ///< of `named`, and of other kinds if a mesh is written
  std::vector<dimension> dimensions;  ///< of `named`
  /// Axes that cut no dimension. @{
  std::vector<axis_reference> replicated, unreduced, manual;
  /// @}
  std::string_view reduction;  ///< `sum`, `max`, `min`; empty if none is written

  std::vector<sharding> elements;  ///< of `tuple`
  /// Whether both are written alike. analysis/sizes/same_sharding.hpp compares what they mean.
  friend bool operator==(const sharding&, const sharding&) = default;
};

}  // namespace hlolint
