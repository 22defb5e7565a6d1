// The bytes of a shape by the size functions of the CPU and GPU back-ends and of the TPU compiler (sizes.md 2, 4), and
// the function that made a dump (sizes.md 5).
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/shape_index.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/inlined_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace hlolint {

/// A back-end's size function. A dump does not name it; see `choose_size_rule`.
enum class size_rule : std::uint8_t {
  plain,          ///< XLA's `ByteSizeOf`: no tiles, 8 bytes per tuple entry
  plain_dynamic,  ///< `plain` and 4 bytes per dimension of a dynamic array (CPU and GPU)
  /// Tiles, tail padding; 4 bytes per tuple entry rounded up to 32; arrays without a tile take whole 1,024 elements.
  tpu_tiled,
  tpu_tiled_v5e,  ///< the same with tuple tables rounded up to 512, also of v4
  tpu_tiled_v3    ///< the same with tuple tables rounded up to 1,024, also of v2
};

/// Whether it is a rule of the TPU compiler, which pads arrays to tiles.
constexpr bool is_tiled(size_rule rule) { return rule >= size_rule::tpu_tiled; }

/// `plain`, `plain-dynamic`, `tpu-tiled`, `tpu-tiled-v5e` or `tpu-tiled-v3`.
constexpr std::string_view name_of(size_rule rule) {
  constexpr std::string_view names[] = {"plain", "plain-dynamic", "tpu-tiled", "tpu-tiled-v5e", "tpu-tiled-v3"};
  return names[static_cast<std::size_t>(rule)];
}

namespace detail {

constexpr std::optional<std::int64_t> round_up(std::int64_t n, std::int64_t step) {
  const auto raised = checked_add(n, step - 1);
  if (!raised) return std::nullopt;
  return *raised / step * step;
}

/// The multiples of bytes that tables of tuples take on a TPU.
constexpr byte_count table_step(size_rule tiled) {
  if (tiled == size_rule::tpu_tiled_v5e) return 512;
  return tiled == size_rule::tpu_tiled_v3 ? 1024 : 32;
}

/// Bytes of `elements` elements of `bits` bits each. The total number of bits need not fit into an int64.
constexpr std::optional<byte_count> bytes_of(std::int64_t elements, std::int64_t bits) {
  const auto whole = checked_multiply(elements / 8, bits), rest = checked_multiply(elements % 8, bits);
  return whole && rest ? checked_add(*whole, *rest / 8 + (*rest % 8 != 0)) : std::nullopt;
}

/// The extent of a dimension in memory: its biggest part if this split configuration cuts it.
inline std::int64_t stored_extent(std::int64_t whole, const split_config& split) {
  std::int64_t biggest = 0, from = 0;
  for (const std::int64_t to : split.split_indices) {
    if (to < from || to > whole) return whole;  // no split of this dimension
    biggest = std::max(biggest, to - from);
    from = to;
  }
  return std::max(biggest, whole - from);
}

/// From major to minor. There are few, also with those of tiles.
using stored_extents = inlined_vector<std::int64_t, 8>;

/// The extents from major to minor before tiling; of several splits of a dimension the first counts. Nothing if the
/// layout does not fit the dimensions.
inline std::optional<stored_extents> physical_extents(const shape& array) {
  constexpr std::int64_t taken = std::numeric_limits<std::int64_t>::min();
  const auto& order = array.layout->minor_to_major;
  if (order.size() != array.rank()) return std::nullopt;
  dimension_numbers stored;
  for (const dimension& d : array.dimensions) stored.push_back(d.size);
  const auto& splits = array.layout->split_configs;
  for (auto split = splits.rbegin(); split != splits.rend(); ++split)
    if (const auto at = static_cast<std::size_t>(split->dimension); split->dimension >= 0 && at < array.rank())
      stored[at] = stored_extent(array.dimensions[at].size, *split);
  stored_extents out;
  for (auto d = order.rbegin(); d != order.rend(); ++d) {
    const auto at = static_cast<std::size_t>(*d);
    if (*d < 0 || at >= array.rank() || stored[at] == taken) return std::nullopt;
    out.push_back(std::exchange(stored[at], taken));
  }
  return out;
}

/// The extents after tile `t` has cut the most minor ones: the number of tiles along each, then the tile itself.
inline std::optional<stored_extents> tiled_extents(const stored_extents& extents, const tile& t) {
  const std::size_t cut = t.dimensions.size();
  const std::size_t kept = extents.size() - std::min(cut, extents.size()), missing = cut - (extents.size() - kept);
  stored_extents out(extents.begin(), extents.begin() + kept), inner;
  std::optional<std::int64_t> merged = 1;
  for (std::size_t i = 0; i < cut; ++i) {
    if (i >= missing) merged = checked_multiply(*merged, extents[kept + i - missing]);
    if (!merged) return std::nullopt;
    const std::int64_t step = t.dimensions[i];
    if (step == tile::combined && i + 1 < cut) continue;  // goes into the next more minor dimension
    const std::int64_t size = step == tile::combined ? std::max<std::int64_t>(*merged, 1) : step;
    if (size <= 0) return std::nullopt;
    out.push_back(*merged / size + (*merged % size != 0));
    inner.push_back(size);
    merged = 1;
  }
  for (const std::int64_t size : inner) out.push_back(size);
  return out;
}

/// The size of a layout with more tiles, which does not occur, counts as unknown.
inline constexpr std::size_t most_tiles = 32;

/// Stored elements of an array, padding included. Precondition: no dimension is `?`.
inline std::optional<std::int64_t> tiled_elements(const shape& array) {
  if (!array.layout || array.layout->tiles.size() > most_tiles) return std::nullopt;
  auto extents = physical_extents(array);
  if (!extents) return std::nullopt;
  if (std::find(extents->begin(), extents->end(), 0) != extents->end()) return 0;
  for (const tile& t : array.layout->tiles) {
    extents = tiled_extents(*extents, t);
    if (!extents) return std::nullopt;
  }
  const auto elements = checked_product(*extents);
  const std::int64_t alignment = array.layout->tail_padding_alignment_in_elements;
  return elements && alignment > 1 ? round_up(*elements, alignment) : elements;
}

/// The product of the dimensions: 0 if one is 0, whatever the others are; nothing if one is `?`.
inline std::optional<std::int64_t> dense_elements(const shape& array) {
  std::optional<std::int64_t> out = 1;
  bool empty = false;
  for (const dimension& d : array.dimensions) {
    if (d.size < 0) return std::nullopt;  // `?`: no size
    empty = empty || d.size == 0;
    if (out) out = checked_multiply(*out, d.size);
  }
  return empty ? 0 : out;
}

/// The elements of an array as a factor in estimates; 0 for other shapes and unknown dimensions.
inline double array_elements(const shape& s) {
  if (!s.is_array()) return 0;
  double product = 1;
  for (const dimension& d : s.dimensions) product *= static_cast<double>(std::max<std::int64_t>(d.size, 0));
  return product;
}

/// The elements of all arrays of a shape, as a factor in estimates.
inline double element_count(const shape* s) {
  if (!s || !s->is_tuple()) return s ? array_elements(*s) : 0;
  double sum = 0;
  for_each_subshape(*s, [&](const shape_index&, const shape& part) { sum += array_elements(part); });
  return sum;
}

}  // namespace detail

/// Whether the TPU compiler puts an array into a scalar memory, `S(2)`, `S(8)` or `S(10)`, where it takes its plain
/// bytes, with a tile or without (sizes.md 4).
inline bool in_scalar_memory(const shape& array) {
  const std::int64_t space = array.memory_space();
  return space == 2 || space == 8 || space == 10;
}
/// Whether an array of the TPU compiler takes whole blocks of 1,024 elements: it has no tile, and is in no scalar
/// memory.
inline bool takes_whole_blocks(const shape& array) {
  const bool untiled =
      !array.layout || (array.layout->tiles.empty() && array.layout->tail_padding_alignment_in_elements <= 1);
  return untiled && !in_scalar_memory(array);
}
/// Elements of such a block.
inline constexpr std::int64_t untiled_block = 1024;

namespace detail {
/// Bits of a stored element.
inline std::int64_t stored_bits(const shape& array) {
  return array.layout && array.layout->element_size_in_bits > 0 ? array.layout->element_size_in_bits
                                                                : std::int64_t{8} * byte_width(array.type);
}
}  // namespace detail

/// Bytes of the part's own storage; for a tuple its table of pointers without the elements. Nothing if a dimension is
/// `?`, the type is unknown, the layout does not fit or the size exceeds int64.
/// Includes a TPU array's `M(n)` prefix, which XLA may leave out (sizes.md 5).
inline std::optional<byte_count> byte_size(const shape& part, size_rule rule) {
  const bool tpu = is_tiled(rule);
  if (part.is_tuple()) {
    const auto table = checked_multiply(static_cast<std::int64_t>(part.elements.size()), tpu ? 4 : 8);
    return table && tpu ? detail::round_up(*table, detail::table_step(rule)) : table;
  }
  if (part.type == element_type::token) return 0;
  if (part.type == element_type::opaque) return tpu ? std::nullopt : std::optional<byte_count>(8);
  if (part.type == element_type::buffer)
    return part.elements.size() == 1 ? byte_size(part.elements[0], rule) : std::nullopt;
  const auto dense = detail::dense_elements(part);
  if (byte_width(part.type) == 0 || !dense) return std::nullopt;

  const std::int64_t bits = detail::stored_bits(part);
  const auto elements = !tpu || in_scalar_memory(part) ? dense
                        : takes_whole_blocks(part)     ? detail::round_up(*dense, untiled_block)
                        : part.layout                  ? detail::tiled_elements(part)
                                                       : dense;
  const auto bytes = elements ? detail::bytes_of(*elements, bits) : std::nullopt;
  if (!bytes) return std::nullopt;
  if (tpu && part.layout) return checked_add(*bytes, part.layout->dynamic_shape_metadata_prefix_bytes);
  if (rule == size_rule::plain_dynamic && !part.is_static())
    return checked_add(*bytes, 4 * static_cast<std::int64_t>(part.rank()));
  return bytes;
}

/// Bytes of the array's elements without any padding (sizes.md 6, "logical"): elements widened by `E(n)` count as
/// padded, and those narrower than a byte take a whole one, unless `E(n)` packs them. Nothing for parts without
/// elements, such as tuples and tokens, and where `byte_size` has no result.
inline std::optional<byte_count> dense_size(const shape& array) {
  if (array.type == element_type::buffer && array.elements.size() == 1) return dense_size(array.elements[0]);
  if (!array.is_array() || byte_width(array.type) == 0) return std::nullopt;
  std::int64_t bits = 8 * byte_width(array.type);
  if (array.layout && array.layout->element_size_in_bits > 0) bits = std::min(bits, array.layout->element_size_in_bits);
  const auto elements = detail::dense_elements(array);
  return elements ? detail::bytes_of(*elements, bits) : std::nullopt;
}

/// The sum of the dense sizes of all arrays of a shape; nothing if one of them has none. Tables and tokens do not
/// count.
inline std::optional<byte_count> dense_size_of_leaves(const shape& whole) {
  std::optional<byte_count> sum = 0;
  for_each_subshape(whole, [&](const shape_index&, const shape& part) {
    if (!sum || part.is_tuple() || part.type == element_type::token || part.type == element_type::opaque) return;
    const auto own = dense_size(part);
    sum = own ? checked_add(*sum, *own) : std::nullopt;
  });
  return sum;
}

/// Whether a printed size is the part's own size by `rule`, with or without the `M(n)` prefix of a TPU array. A part of
/// unknown size agrees with everything.
inline bool size_agrees(const shape& part, byte_count printed, size_rule rule) {
  const auto own = byte_size(part, rule);
  if (!own || *own == printed) return true;
  const bool prefixed = is_tiled(rule) && part.layout;
  return prefixed && checked_int64(*own) - part.layout->dynamic_shape_metadata_prefix_bytes == checked_int64(printed);
}

/// The memory space where libtpu puts the tables of tuples of a SparseCore's calls; they take no bytes (dumps for 7x).
inline constexpr std::int64_t sparse_core_tables = 7;

/// Whether a value is a table of a tuple that takes no bytes.
inline bool is_empty_table(const assigned_value& value, const shape& part, size_rule rule) {
  return is_tiled(rule) && part.is_tuple() && value.size == 0 && value.name.color == sparse_core_tables;
}

/// Whether a value's printed size is that of its shape by `rule`.
inline bool size_agrees(const buffer_dump& dump, const assigned_value& value, size_rule rule) {
  const shape& own = dump.shape(value);
  return size_agrees(own, value.size, rule) || is_empty_table(value, own, rule);
}

/// The rule with the fewest values whose own size differs from the printed one; of equal rules the first. A dump
/// without values gives `plain`. Tiles do not decide, since tools that assign without a TPU print them too.
inline size_rule choose_size_rule(const buffer_dump& dump) {
  size_rule best = size_rule::plain;
  std::size_t fewest = dump.values().size() + 1;
  for (const size_rule rule : {size_rule::plain, size_rule::plain_dynamic, size_rule::tpu_tiled,
                               size_rule::tpu_tiled_v5e, size_rule::tpu_tiled_v3}) {
    std::size_t differing = 0;
    for (const assigned_value& value : dump.values()) differing += !size_agrees(dump, value, rule);
    if (differing < fewest) best = rule, fewest = differing;
    if (fewest == 0) break;
  }
  return best;
}

/// The size rule as an analysis in a cache.
struct chosen_size_rule {
  /// Linear in the values.
  explicit chosen_size_rule(const buffer_dump& dump) : value(choose_size_rule(dump)) {}
  size_rule value;  ///< the rule that agrees best
};

}  // namespace hlolint
