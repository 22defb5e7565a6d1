// Shapes with layouts, tiles and memory spaces (hlo_text.md 5).
#pragma once

#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/inlined_vector.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlolint {

/// The numbers of an array of at most this many dimensions need no memory of their own, as in XLA.
inline constexpr std::size_t inlined_rank = 6;
/// Numbers of dimensions.
using dimension_numbers = inlined_vector<std::int64_t, inlined_rank>;

/// One dimension: static `8`, bounded dynamic `<=8`, or unbounded dynamic `?`.
struct dimension {
  static constexpr std::int64_t unbounded = -1;  ///< the `size` of `?`
  std::int64_t size = 0;                         ///< the bound if the dimension is dynamic
  bool dynamic = false;                          ///< `<=8` or `?`
  friend bool operator==(const dimension&, const dimension&) = default;
};

/// One tile of a layout.
struct tile {
  static constexpr std::int64_t combined = -1;  ///< `*`: the dimension joins the next more minor one before it is tiled
  inlined_vector<std::int64_t, 2> dimensions;   ///< the most major first
  friend bool operator==(const tile&, const tile&) = default;
};

/// `SC(dimension:i1,i2)`: a dimension that is cut at some indices; the parts are stored separately.
struct split_config {
  std::int64_t dimension = 0;               ///< the dimension that is cut
  std::vector<std::int64_t> split_indices;  ///< where parts begin, in ascending order
  friend bool operator==(const split_config&, const split_config&) = default;
};

/// How an array lies in memory. Dumps do not print properties that have these defaults.
struct layout {
  dimension_numbers minor_to_major;                      ///< the most minor dimension first
  inlined_vector<tile, 2> tiles;                         ///< in the order in which they are applied
  std::int64_t tail_padding_alignment_in_elements = 1;   ///< `L(n)`
  std::optional<element_type> index_type;                ///< `#(type)`, sparse arrays of 2023 to 2025
  std::optional<element_type> pointer_type;              ///< `*(type)`
  std::int64_t element_size_in_bits = 0;                 ///< `E(n)`; 0: the size of the type
  std::int64_t memory_space = 0;                         ///< `S(n)`; 0: main memory
  std::vector<split_config> split_configs;               ///< `SC(...)`
  std::string dim_level_types;                           ///< `D(...)` as written, of sparse arrays
  std::int64_t dynamic_shape_metadata_prefix_bytes = 0;  ///< `M(n)`
  friend bool operator==(const layout&, const layout&) = default;
};

/// An array, token, opaque value, buffer or tuple.
struct shape {
  element_type type = element_type::unknown;           ///< `unknown`: not one of XLA's types
  inlined_vector<dimension, inlined_rank> dimensions;  ///< of an array
  std::optional<hlolint::layout> layout;               ///< nothing if none is written
  std::vector<shape> elements;                         ///< of a tuple; a `buffer` has exactly one
  std::string unknown_type;                            ///< the spelling of an unknown type

  /// Whether it is a tuple, with or without elements.
  bool is_tuple() const { return type == element_type::tuple; }
  /// Whether it is an array; tokens and opaque values are not.
  bool is_array() const { return hlolint::is_array(type); }
  /// How many dimensions.
  std::size_t rank() const { return dimensions.size(); }
  /// Whether none of its own dimensions is dynamic; elements of a tuple do not count.
  bool is_static() const {
    for (const dimension& d : dimensions)
      if (d.dynamic) return false;
    return true;
  }
  /// The memory space of its layout; 0 (main memory) without a layout.
  std::int64_t memory_space() const { return layout ? layout->memory_space : 0; }

  /// The shape at `index`, or null if there is none.
  const shape* at(const shape_index& index) const {
    const shape* out = this;
    for (const std::uint32_t step : index) {
      if (!out->is_tuple() || step >= out->elements.size()) return nullptr;
      out = &out->elements[step];
    }
    return out;
  }

  friend bool operator==(const shape&, const shape&) = default;
};

/// Calls `f(index, leaf)` for every part of the shape, tuples before their elements.
template <class F>
void for_each_subshape(const shape& whole, F&& f) {
  shape_index index;
  if (!whole.is_tuple()) {  // as most are: not worth a function that calls itself
    f(static_cast<const shape_index&>(index), whole);
    return;
  }
  const auto walk = [&](const auto& self, const shape& part) -> void {
    f(static_cast<const shape_index&>(index), part);
    if (!part.is_tuple()) return;
    for (std::size_t i = 0; i < part.elements.size(); ++i) {
      index.push_back(static_cast<std::uint32_t>(i));
      self(self, part.elements[i]);
      index.pop_back();
    }
  };
  walk(walk, whole);
}

/// Number of parts that are not tuples.
inline std::size_t leaf_count(const shape& whole) {
  std::size_t count = 0;
  for_each_subshape(whole, [&](const shape_index&, const shape& part) { count += !part.is_tuple(); });
  return count;
}

/// Whether two shapes are equal but for layouts and dynamism, like XLA's `ShapeUtil::Compatible`.
inline bool compatible(const shape& a, const shape& b) {
  if (a.type != b.type || a.unknown_type != b.unknown_type || a.elements.size() != b.elements.size() ||
      a.rank() != b.rank())
    return false;
  for (std::size_t i = 0; i < a.elements.size(); ++i)
    if (!compatible(a.elements[i], b.elements[i])) return false;
  for (std::size_t i = 0; i < a.rank(); ++i) {
    const std::int64_t x = a.dimensions[i].size, y = b.dimensions[i].size;
    if (x != y && x != dimension::unbounded && y != dimension::unbounded) return false;
  }
  return true;
}

}  // namespace hlolint
