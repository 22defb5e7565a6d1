// Equality of shapes down to the layout, where one that is not written is XLA's default.
#pragma once

#include <hlolint/ir/shape.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint {

/// The layout of an array: as written, else row-major without tiles.
inline layout layout_or_default(const shape& array) {
  if (array.layout) return *array.layout;
  layout out;
  for (std::size_t d = array.rank(); d-- > 0;) out.minor_to_major.push_back(static_cast<std::int64_t>(d));
  return out;
}

/// Equal types, dimensions and layouts. A buffer counts as what is in it.
inline bool same_with_layout(const shape& a, const shape& b) {
  if (a.type == element_type::buffer && a.elements.size() == 1) return same_with_layout(a.elements[0], b);
  if (b.type == element_type::buffer && b.elements.size() == 1) return same_with_layout(a, b.elements[0]);
  if (a.type != b.type || a.unknown_type != b.unknown_type || a.dimensions != b.dimensions ||
      a.elements.size() != b.elements.size())
    return false;
  if (a.is_array() && !(a.layout == b.layout) && !(layout_or_default(a) == layout_or_default(b))) return false;
  for (std::size_t i = 0; i < a.elements.size(); ++i)
    if (!same_with_layout(a.elements[i], b.elements[i])) return false;
  return true;
}

}  // namespace hlolint
