// Whether arrays have one order in memory.
#pragma once

#include <hlolint/ir/shape.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlolint {

/// Whether two arrays of equal dimensions have different orders in memory; dimensions of extent 1 do not count. False
/// if a layout is not written.
inline bool differs_in_order(const shape& a, const shape& b) {
  if (!a.is_array() || a.type != b.type || a.rank() != b.rank() || !a.layout || !b.layout) return false;
  for (std::size_t d = 0; d < a.rank(); ++d)
    if (a.dimensions[d].size != b.dimensions[d].size) return false;
  const auto order = [](const shape& s) {
    std::vector<std::int64_t> out;
    for (const std::int64_t d : s.layout->minor_to_major)
      if (d >= 0 && static_cast<std::size_t>(d) < s.rank() && s.dimensions[static_cast<std::size_t>(d)].size != 1)
        out.push_back(d);
    return out;
  };
  return order(a) != order(b);
}

}  // namespace hlolint
