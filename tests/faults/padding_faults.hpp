// Programs and dumps that waste memory.
#pragma once

#include "memory_faults.hpp"
#include "pieces.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::testing {

namespace detail {

/// One more kernel with this result, on TPU; nothing elsewhere.
inline std::optional<mutation> padded_kernel(fixture& from, dice& random, const char* rule, severity level,
                                             const std::string& shape) {
  if (from.backend != target::tpu) return std::nullopt;
  put(from, somewhere(from, random), {kernel("wasteful", shape, "param.0")});
  return mutant(from, rule, level, {"wasteful", {}, {}});
}

}  // namespace detail

/// A few elements in the dimension that a tile makes 128 of.
inline std::optional<mutation> hostile_to_tiles(fixture from, dice& random) {
  const auto shape = detail::array_text("f32", 65536 * random.between(1, 4), random.between(1, 8), "1,0:T(8,128)");
  return detail::padded_kernel(from, random, "PAD001", severity::warning, shape);
}
inline std::optional<mutation> lanes_empty(fixture from, dice& random) {
  const auto shape = detail::array_text("u32", 1048576 * random.between(1, 2), random.between(1, 8), "1,0:T(8,128)");
  return detail::padded_kernel(from, random, "PAD002", severity::note, shape);
}
/// Only the order in memory is wrong.
inline std::optional<mutation> transposed(fixture from, dice& random) {
  const auto shape = detail::array_text("f32", 96, 65536 * random.between(3, 6), "0,1:T(8,128)");
  return detail::padded_kernel(from, random, "PAD003", severity::note, shape);
}
inline std::optional<mutation> mostly_padding(fixture from, dice& random) {
  const auto shape = detail::array_text("f32", 1048576, random.between(1, 16), "1,0:T(8,128)");
  return detail::padded_kernel(from, random, "PAD007", severity::warning, shape);
}
inline std::optional<mutation> copied_into_padding(fixture from, dice& random) {
  if (from.backend != target::tpu) return std::nullopt;
  const std::int64_t rows = 8, columns = 65536 * random.between(3, 8);
  detail::put(from, somewhere(from, random),
              {detail::kernel("dense", detail::array_text("f32", rows, columns, "1,0:T(8,128)"), "param.0"),
               {"inflated", detail::array_text("f32", rows, columns, "0,1:T(8,128)"), "copy", {"dense"}}});
  return mutant(from, "PAD004", severity::warning, {"inflated", {}, {}});
}

namespace detail {
/// One value far beyond all others.
inline std::optional<mutation> leave_gap(fixture& from, dice& random, const char* rule, severity level,
                                         byte_count gap) {
  const temporaries temp(from);
  const written_value v = *random.pick(temp.arrays);
  const byte_count offset = (temp.allocation->size + gap + 511) / 512 * 512;
  const std::string line = "allocation " + std::to_string(temp.number) + ":";
  from.dump.move(v.set, offset);
  from.dump.enlarge(temp.number, offset + v.size - temp.allocation->size);
  return mutant(from, rule, level, {{}, {}, line});
}
}  // namespace detail

inline std::optional<mutation> fragmented(fixture from, dice& random) {
  return detail::leave_gap(from, random, "PAD005", severity::warning, (80 + random.between(0, 100)) << 20);
}
inline std::optional<mutation> bytes_unused(fixture from, dice& random) {
  return detail::leave_gap(from, random, "PAD006", severity::note, random.between(1, 16) << 20);
}

inline const std::vector<fault_class>& padding_faults() {
  static const std::vector<fault_class> list{
      {"tile-hostile shape", hostile_to_tiles},   {"lanes nearly empty", lanes_empty},
      {"transposed layout", transposed},          {"copied into a padded layout", copied_into_padding},
      {"memory full of padding", mostly_padding}, {"temporary memory fragmented", fragmented},
      {"bytes that no one uses", bytes_unused},
  };
  return list;
}

}  // namespace hlolint::testing
