// Programs that waste memory: valid, with the buffers that go with them.
#pragma once

#include "mutation.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace hlolint::testing {

namespace detail {

/// One more kernel somewhere, with this result.
inline std::string add_kernel(fixture& from, dice& random, const std::string& shape) {
  written_computation& entry = from.program.entry();
  const std::size_t first = entry.all_of("parameter").size() + 1;
  const std::size_t at = first + random.below(entry.instructions.size() - first - 1);
  entry.instructions.insert(entry.instructions.begin() + static_cast<std::ptrdiff_t>(at),
                            {"wasteful", shape, "custom-call", {entry.all_of("parameter").front()}, {}, {{"custom_call_target", "\"kernel\""}}});
  from.dump = written_dump(from.program.text(), from.backend);
  return "wasteful";
}

}  // namespace detail

/// A few elements in the dimension that a tile makes 128 of.
inline std::optional<mutation> hostile_to_tiles(fixture from, dice& random) {
  if (from.backend != target::tpu) return std::nullopt;
  const std::string shape = "f32[" + std::to_string(65536 * random.between(1, 4)) + "," + std::to_string(random.between(1, 8)) + "]{1,0:T(8,128)}";
  const std::string name = detail::add_kernel(from, random, shape);
  return mutant(from, "PAD001", severity::warning, {name, {}, {}});
}
/// The same when only the order in memory is wrong.
inline std::optional<mutation> transposed(fixture from, dice& random) {
  if (from.backend != target::tpu) return std::nullopt;
  const std::string shape = "f32[" + std::to_string(random.between(1, 8)) + "," + std::to_string(65536 * random.between(1, 4)) + "]{0,1:T(8,128)}";
  const std::string name = detail::add_kernel(from, random, shape);
  return mutant(from, "PAD001", severity::warning, {name, {}, {}});
}

inline const std::vector<fault_class>& padding_faults() {
  static const std::vector<fault_class> list{
      {"tile-hostile shape", hostile_to_tiles},
      {"transposed layout", transposed},
  };
  return list;
}

}  // namespace hlolint::testing
