// How many elements shapes have, as a factor in estimates: never out of range, not always exact.
#pragma once

#include <hlolint/ir/shape.hpp>
#include <hlolint/ir/shape_index.hpp>

#include <algorithm>
#include <cstdint>

namespace hlolint::detail {

/// Elements of an array; 0 for what has no size.
inline double array_elements(const shape& s) {
  if (!s.is_array()) return 0;
  double product = 1;
  for (const dimension& d : s.dimensions) product *= static_cast<double>(std::max<std::int64_t>(d.size, 0));
  return product;
}

/// Elements of all arrays of a shape.
inline double element_count(const shape* s) {
  if (!s || !s->is_tuple()) return s ? array_elements(*s) : 0;
  double sum = 0;
  for_each_subshape(*s, [&](const shape_index&, const shape& part) { sum += array_elements(part); });
  return sum;
}

}  // namespace hlolint::detail
