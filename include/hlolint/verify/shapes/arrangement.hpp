// The shapes of operations that arrange the elements of an array in another way, or take some of them (hlo_text.md
// 8.1).
#pragma once

#include <hlolint/text/checked.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// The one dimension of the operands is added up, all others are equal.
[[gnu::cold]] inline void check_concatenate(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = known_array(i.shape());
  if (!result) return;
  const auto along = one_dimension(i, attribute_key::dimensions, *result, out);
  if (!along) return;
  const std::size_t dimension = *along;
  checked_int64 sum = 0;
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    const shape* const own = operand_shape(i, k);
    if (!own || !own->is_array() || !own->is_static()) return;
    bool fits = own->rank() == result->rank() && !certainly_differ(own->type, result->type);
    for (std::size_t d = 0; fits && d < own->rank(); ++d)
      fits = d == dimension || own->dimensions[d].size == result->dimensions[d].size;
    if (!fits)
      return out.add(
          place, str_cat({"a concatenate with an operand of ", to_string(*own), " cannot be ", to_string(*result)}));
    sum += own->dimensions[dimension].size;
  }
  if (sum.clamped() != result->dimensions[dimension].size)
    out.add(place, str_cat({"the operands of this concatenate have ", sum.clamped(), " elements along dimension ",
                            dimension, ", its result has ", result->dimensions[dimension].size}));
}

/// Each dimension of the operand becomes the named one of the result.
[[gnu::cold]] inline void check_broadcast(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const result = i.shape(), *const own = operand_shape(i, 0);
  if (!result || !own || !result->is_array() || !own->is_array()) return;
  if (certainly_differ(own->type, result->type))
    return out.add(place, str_cat({"a broadcast of ", name_of(own->type), " cannot be ", name_of(result->type),
                                   ": it keeps the element type"}));
  if (!i.has(attribute_key::dimensions) || !result->is_static() || !own->is_static()) return;
  const auto to = numbers_of(i, attribute_key::dimensions);
  if (!to) return;
  bool fits = to->size() == own->rank();
  for (std::size_t d = 0; fits && d < own->rank(); ++d)
    fits = (*to)[d] >= 0 && static_cast<std::size_t>((*to)[d]) < result->rank() &&
           size_of(*result, (*to)[d]) == own->dimensions[d].size;
  if (!fits)
    out.add(place,
            str_cat({"a broadcast of ", to_string(*own), " to these dimensions cannot be ", to_string(*result)}));
}

/// Dimension d of the result is dimension number d of the list of the operand.
[[gnu::cold]] inline void check_transpose(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const own = known_operand(i, 0);
  const auto numbers = numbers_of(i, attribute_key::dimensions);
  std::uint64_t set = 0;
  if (!own || !numbers || !add_dimensions(i, attribute_key::dimensions, *numbers, *own, set, out)) return;
  if (numbers->size() != own->rank())
    return out.add(i.attribute_location(attribute_key::dimensions).at.begin,
                   str_cat({"transpose names all dimensions of ", to_string(*own), ", not ", numbers->size()}));
  if (!check_type_kept(i, *own, place, out)) return;
  dimension_numbers sizes;
  for (const std::int64_t d : *numbers) sizes.push_back(size_of(*own, d));
  check_result(i, 1, sizes, place, out);
}

[[gnu::cold]] inline void check_reverse(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = known_operand(i, 0), *const result = i.shape();
  const auto numbers = numbers_of(i, attribute_key::dimensions);
  std::uint64_t set = 0;
  if (!own || !numbers || !add_dimensions(i, attribute_key::dimensions, *numbers, *own, set, out)) return;
  if (result) check_same(i, *own, *result, place, out);
}

/// The ranges lie within the dimensions of the operand.
[[gnu::cold]] inline void check_slice(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const own = known_operand(i, 0);
  const auto ranges = own ? ranges_of(i) : std::nullopt;
  if (!ranges) return;
  const std::uint32_t at = i.attribute_location(attribute_key::slice).at.begin;
  if (ranges->size() != own->rank())
    return out.add(at,
                   str_cat({"slice has a range for each dimension of ", to_string(*own), ", not ", ranges->size()}));
  dimension_numbers sizes;
  for (std::size_t d = 0; d < own->rank(); ++d) {
    const slice_range& r = (*ranges)[d];
    if (r.start < 0 || r.limit < r.start || r.limit > own->dimensions[d].size || r.stride < 1)
      return out.add(at, str_cat({"the range [", r.start, ":", r.limit, ":", r.stride, "] does not lie in dimension ",
                                  d, " of ", to_string(*own)}));
    const std::int64_t length = r.limit - r.start;
    sizes.push_back(length / r.stride + (length % r.stride != 0));
  }
  if (check_type_kept(i, *own, place, out)) check_result(i, 1, sizes, place, out);
}

/// Each dimension grows by its padding.
[[gnu::cold]] inline void check_pad(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = known_operand(i, 0), *const value = operand_shape(i, 1);
  const auto padding = own ? paddings_of(i) : std::nullopt;
  if (!padding) return;
  const std::uint32_t at = i.attribute_location(attribute_key::padding).at.begin;
  if (value && is_no_scalar_of(*value, own->type))
    return out.add(place,
                   str_cat({"pad of ", to_string(*own), " takes a scalar of its type, not ", to_string(*value)}));
  if (padding->size() != own->rank())
    return out.add(at,
                   str_cat({"pad has a padding for each dimension of ", to_string(*own), ", not ", padding->size()}));
  dimension_numbers sizes;
  for (std::size_t d = 0; d < own->rank(); ++d) {
    const padding_dimension& p = (*padding)[d];
    const std::int64_t size = own->dimensions[d].size;
    const auto padded =
        (checked_int64(size) + p.low + p.high + checked_int64(std::max<std::int64_t>(size - 1, 0)) * p.interior)
            .exact();
    if (!padded) return;
    if (*padded < 0)
      return out.add(at,
                     str_cat({"the padding leaves ", *padded, " elements of dimension ", d, " of ", to_string(*own)}));
    sizes.push_back(*padded);
  }
  if (check_type_kept(i, *own, place, out)) check_result(i, 1, sizes, place, out);
}

/// The numbers stand along a dimension of the result.
[[gnu::cold]] inline void check_iota(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  const auto along = get_integer(i, attribute_key::iota_dimension);
  if (!result || result->type == element_type::unknown) return;
  if (!result->is_array() || result->type == element_type::pred)
    return out.add(place, str_cat({"iota gives numbers, not ", to_string(*result)}));
  if (along && (*along < 0 || static_cast<std::size_t>(*along) >= result->rank()))
    out.add(i.attribute_location(attribute_key::iota_dimension).at.begin,
            str_cat({"there is no dimension ", *along, " in ", to_string(*result)}));
}

/// The start indices of a dynamic slice are integers of one type: a scalar for each dimension, or one vector. False
/// after a finding.
inline bool check_index_types(const hlo_instruction& i, std::size_t first, std::uint32_t place, findings& out) {
  const shape* const index = operand_shape(i, first);
  if (!index || index->type == element_type::unknown) return true;
  for (std::size_t k = first; k < i.operand_count(); ++k) {
    const shape* const own = operand_shape(i, k);
    if (!own || own->type == element_type::unknown) continue;
    const bool is_number = is_integer(own->type);
    if (is_number && own->type == index->type && (own->rank() == 0 || i.operand_count() == first + 1)) continue;
    out.add(place, is_number && own->rank() == 0
                       ? str_cat({"the start indices of ", name_of(i.opcode()), " have one type, not ",
                                  name_of(index->type), " and ", name_of(own->type)})
                       : str_cat({"the start indices of ", name_of(i.opcode()), " are integers, but operand ", k,
                                  " is ", to_string(*own)}));
    return false;
  }
  return true;
}

/// The slice lies in the operand and has the sizes of the list.
[[gnu::cold]] inline void check_dynamic_slice(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const own = known_operand(i, 0);
  const auto sizes = own ? numbers_of(i, attribute_key::dynamic_slice_sizes) : std::nullopt;
  if (!sizes || !check_index_types(i, 1, place, out)) return;
  bool fits = sizes->size() == own->rank();
  for (std::size_t d = 0; fits && d < own->rank(); ++d)
    fits = (*sizes)[d] >= 0 && (*sizes)[d] <= own->dimensions[d].size;
  if (!fits)
    return out.add(i.attribute_location(attribute_key::dynamic_slice_sizes).at.begin,
                   str_cat({"a slice of these sizes does not fit in ", to_string(*own)}));
  if (check_type_kept(i, *own, place, out)) check_result(i, 1, *sizes, place, out);
}

/// The update fits in the operand, whose shape the result has.
[[gnu::cold]] inline void check_dynamic_update_slice(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = operand_shape(i, 0), *const update = operand_shape(i, 1), *const result = i.shape();
  if (!own || !check_index_types(i, 2, place, out)) return;
  if (update && own->is_array() && update->is_array() && own->is_static() && update->is_static()) {
    bool fits = update->rank() == own->rank() && !certainly_differ(update->type, own->type);
    for (std::size_t d = 0; fits && d < own->rank(); ++d) fits = update->dimensions[d].size <= own->dimensions[d].size;
    if (!fits)
      return out.add(place, str_cat({"an update of ", to_string(*update), " does not fit in ", to_string(*own)}));
  }
  if (result) check_same(i, *own, *result, place, out);
}

/// The named dimension exists; a size is an s32.
[[gnu::cold]] inline void check_dimension_size(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = known_operand(i, 0), *const result = i.shape();
  if (own && !one_dimension(i, attribute_key::dimensions, *own, out)) return;
  if (i.opcode() == hlo_opcode::get_dimension_size && result && is_no_scalar_of(*result, element_type::s32))
    out.add(place, str_cat({"the size of a dimension is s32[], not ", to_string(*result)}));
}

}  // namespace hlolint::module_rules
