// The shapes of operations that arrange the elements of an array in another way, or take some of them (hlo_text.md
// 8.1).
#pragma once

#include <hlolint/text/checked.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace hlolint::module_rules {

/// The one dimension of the operands is added up, all others are equal.
[[gnu::cold]] inline void check_concatenate(const shape_case& c) {
  const shape* const result = known_array(c.result);
  const auto along = result ? one_dimension(c, attribute_key::dimensions, *result) : std::nullopt;
  if (!along) return;
  checked_int64 sum = 0;
  for (std::size_t k = 0; k < c.i.operand_count(); ++k) {
    const shape* const own = c.operand(k);
    if (!own || !own->is_array() || !own->is_static()) return;
    bool fits = own->rank() == result->rank() && !certainly_differ(own->type, result->type);
    for (std::size_t d = 0; fits && d < own->rank(); ++d)
      fits = d == *along || own->dimensions[d].size == result->dimensions[d].size;
    if (!fits) return void(c.fail("a concatenate with an operand of ", *own, " cannot be ", *result));
    sum += own->dimensions[*along].size;
  }
  if (sum.clamped() != result->dimensions[*along].size)
    c.fail("the operands of this concatenate have ", sum.clamped(), " elements along dimension ", *along,
           ", its result has ", result->dimensions[*along].size);
}

/// Each dimension of the operand becomes the named one of the result.
[[gnu::cold]] inline void check_broadcast(const shape_case& c) {
  const shape *const result = c.result, *const own = c.operand(0);
  if (!result || !own || !result->is_array() || !own->is_array()) return;
  if (certainly_differ(own->type, result->type))
    return void(c.fail("a broadcast of ", own->type, " cannot be ", result->type, ": it keeps the element type"));
  if (!c.i.has(attribute_key::dimensions) || !result->is_static() || !own->is_static()) return;
  const auto to = c.numbers(attribute_key::dimensions);
  if (!to) return;
  bool fits = to->size() == own->rank();
  for (std::size_t d = 0; fits && d < own->rank(); ++d)
    fits = (*to)[d] >= 0 && static_cast<std::size_t>((*to)[d]) < result->rank() &&
           size_of(*result, (*to)[d]) == own->dimensions[d].size;
  if (!fits) c.fail("a broadcast of ", *own, " to these dimensions cannot be ", *result);
}

/// Dimension d of the result is dimension number d of the list of the operand.
[[gnu::cold]] inline inferred infer_transpose(const shape_case& c) {
  const shape* const own = c.array(0);
  const auto numbers = c.numbers(attribute_key::dimensions);
  std::uint64_t set = 0;
  if (!own || !numbers || !add_dimensions(c, attribute_key::dimensions, *numbers, *own, set)) return {};
  if (numbers->size() != own->rank())
    return c.fail_at(attribute_key::dimensions, "transpose names all dimensions of ", *own, ", not ", numbers->size());
  dimension_numbers sizes;
  for (const std::int64_t d : *numbers) sizes.push_back(size_of(*own, d));
  return {std::move(sizes), 1, own};
}

[[gnu::cold]] inline inferred infer_reverse(const shape_case& c) {
  const shape* const own = c.array(0);
  const auto numbers = c.numbers(attribute_key::dimensions);
  std::uint64_t set = 0;
  const bool fits = own && numbers && add_dimensions(c, attribute_key::dimensions, *numbers, *own, set);
  return fits ? inferred(own) : inferred();
}

/// The ranges lie within the dimensions of the operand.
[[gnu::cold]] inline inferred infer_slice(const shape_case& c) {
  const shape* const own = c.array(0);
  const auto ranges = own ? ranges_of(c.i) : std::nullopt;
  if (!ranges) return {};
  if (ranges->size() != own->rank())
    return c.fail_at(attribute_key::slice, "slice has a range for each dimension of ", *own, ", not ", ranges->size());
  dimension_numbers sizes;
  for (std::size_t d = 0; d < own->rank(); ++d) {
    const slice_range& r = (*ranges)[d];
    if (r.start < 0 || r.limit < r.start || r.limit > own->dimensions[d].size || r.stride < 1)
      return c.fail_at(attribute_key::slice, "the range [", r.start, ":", r.limit, ":", r.stride,
                       "] does not lie in dimension ", d, " of ", *own);
    const std::int64_t length = r.limit - r.start;
    sizes.push_back(length / r.stride + (length % r.stride != 0));
  }
  return {std::move(sizes), 1, own};
}

/// Each dimension grows by its padding.
[[gnu::cold]] inline inferred infer_pad(const shape_case& c) {
  const shape *const own = c.array(0), *const value = c.operand(1);
  const auto padding = own ? paddings_of(c.i) : std::nullopt;
  if (!padding) return {};
  if (value && is_no_scalar_of(*value, own->type))
    return c.fail("pad of ", *own, " takes a scalar of its type, not ", *value);
  if (padding->size() != own->rank())
    return c.fail_at(attribute_key::padding, "pad has a padding for each dimension of ", *own, ", not ",
                     padding->size());
  dimension_numbers sizes;
  for (std::size_t d = 0; d < own->rank(); ++d) {
    const padding_dimension& p = (*padding)[d];
    const std::int64_t size = own->dimensions[d].size;
    const auto padded =
        (checked_int64(size) + p.low + p.high + checked_int64(std::max<std::int64_t>(size - 1, 0)) * p.interior)
            .exact();
    if (!padded) return {};
    if (*padded < 0)
      return c.fail_at(attribute_key::padding, "the padding leaves ", *padded, " elements of dimension ", d, " of ",
                       *own);
    sizes.push_back(*padded);
  }
  return {std::move(sizes), 1, own};
}

/// The numbers stand along a dimension of the result.
[[gnu::cold]] inline void check_iota(const shape_case& c) {
  const shape* const result = c.result;
  if (!result || result->type == element_type::unknown) return;
  if (!result->is_array() || result->type == element_type::pred)
    c.fail("iota gives numbers, not ", *result);
  else
    dimension_number(c, attribute_key::iota_dimension, *result);
}

/// The start indices of a dynamic slice are integers of one type: a scalar for each dimension, or one vector. False
/// after a finding.
inline bool check_index_types(const shape_case& c, std::size_t first) {
  const shape* const index = c.operand(first);
  if (!index || index->type == element_type::unknown) return true;
  for (std::size_t k = first; k < c.i.operand_count(); ++k) {
    const shape* const own = c.operand(k);
    if (!own || own->type == element_type::unknown) continue;
    if (!is_integer(own->type) || (own->rank() != 0 && c.i.operand_count() != first + 1))
      return c.fail("the start indices of ", c.name(), " are integers, but operand ", k, " is ", *own);
    if (own->type != index->type)
      return c.fail("the start indices of ", c.name(), " have one type, not ", index->type, " and ", own->type);
  }
  return true;
}

/// Whether slices of these sizes fit in an array.
inline bool slices_fit(const dimension_numbers& sizes, const shape& own) {
  bool fits = sizes.size() == own.rank();
  for (std::size_t d = 0; fits && d < own.rank(); ++d) fits = sizes[d] >= 0 && sizes[d] <= own.dimensions[d].size;
  return fits;
}

/// The slice lies in the operand and has the sizes of the list.
[[gnu::cold]] inline inferred infer_dynamic_slice(const shape_case& c) {
  const shape* const own = c.array(0);
  auto sizes = own ? c.numbers(attribute_key::dynamic_slice_sizes) : std::nullopt;
  if (!sizes || !check_index_types(c, 1)) return {};
  if (!slices_fit(*sizes, *own))
    return c.fail_at(attribute_key::dynamic_slice_sizes, "a slice of these sizes does not fit in ", *own);
  return {std::move(*sizes), 1, own};
}

/// The update fits in the operand, whose shape the result has.
[[gnu::cold]] inline inferred infer_dynamic_update_slice(const shape_case& c) {
  const shape *const own = c.operand(0), *const update = c.operand(1);
  if (!own || !check_index_types(c, 2)) return {};
  if (update && own->is_array() && update->is_array() && own->is_static() && update->is_static() &&
      (certainly_differ(update->type, own->type) || !slices_fit(sizes_of(*update), *own)))
    return c.fail("an update of ", *update, " does not fit in ", *own);
  return inferred(own);
}

/// The named dimension exists; a size is an s32.
[[gnu::cold]] inline void check_dimension_size(const shape_case& c) {
  const shape* const own = c.array(0);
  if (own && !one_dimension(c, attribute_key::dimensions, *own)) return;
  if (c.i.opcode() == hlo_opcode::get_dimension_size && c.result && is_no_scalar_of(*c.result, element_type::s32))
    c.fail("the size of a dimension is s32[], not ", *c.result);
}

}  // namespace hlolint::module_rules
