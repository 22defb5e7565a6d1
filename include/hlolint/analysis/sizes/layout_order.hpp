// The order of an array's dimensions in memory.
#pragma once

#include <hlolint/ir/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlolint {

/// The n-th most minor dimension of an array, by its layout or else row by row; negative if it has no such dimension.
inline std::int64_t minor_dimension(const shape& array, std::size_t n) {
  const bool is_written = array.layout && n < array.layout->minor_to_major.size();
  return is_written ? array.layout->minor_to_major[n]
                    : static_cast<std::int64_t>(array.rank()) - 1 - static_cast<std::int64_t>(n);
}

/// The dimensions of an array, the most minor first; those of extent 1 do not count.
inline std::vector<std::int64_t> order_in_memory(const shape& array) {
  std::vector<std::int64_t> out;
  for (std::size_t n = 0; n < array.rank(); ++n)
    if (const std::int64_t d = minor_dimension(array, n);
        d >= 0 && static_cast<std::size_t>(d) < array.rank() && array.dimensions[static_cast<std::size_t>(d)].size != 1)
      out.push_back(d);
  return out;
}

/// Whether two arrays of equal dimensions have different orders in memory; dimensions of extent 1 do not count. False
/// if a layout is not written.
inline bool differs_in_order(const shape& a, const shape& b) {
  if (!a.is_array() || a.type != b.type || a.rank() != b.rank() || !a.layout || !b.layout) return false;
  for (std::size_t d = 0; d < a.rank(); ++d)
    if (a.dimensions[d].size != b.dimensions[d].size) return false;
  return order_in_memory(a) != order_in_memory(b);
}

}  // namespace hlolint
