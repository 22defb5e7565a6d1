// The shapes of operations that exchange data between devices, and of those that run in the background (hlo_text.md
// 8.1).
#pragma once

#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// The array of a result that belongs to operand k: the result, or an element of a tuple; null if there is none.
inline const shape* array_of(const hlo_instruction& i, const shape* result, std::size_t k) {
  if (!result || !result->is_tuple()) return i.operand_count() == 1 ? result : nullptr;
  return result->elements.size() == i.operand_count() ? &result->elements[k] : nullptr;
}

/// The result of several operands is a tuple of as many elements. False after a finding.
inline bool check_parts(const hlo_instruction& i, const shape* result, std::uint32_t place, findings& out) {
  if (i.operand_count() < 2 || !result || result->type == element_type::unknown ||
      (result->is_tuple() && result->elements.size() == i.operand_count()))
    return true;
  out.add(place, str_cat({name_of(i.opcode()), " of ", i.operand_count(), " operands gives a tuple of as many, not ",
                          to_string(*result)}));
  return false;
}

/// Each array of the result has the shape of its operand.
[[gnu::cold]] inline void check_operands_kept(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  if (!check_parts(i, result, place, out)) return;
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    const shape* const own = operand_shape(i, k);
    const shape* const part = own && own->is_tuple() && i.operand_count() == 1 ? result : array_of(i, result, k);
    if (own && part && !check_same(i, *own, *part, place, out)) return;
  }
}

/// All operands of an all-to-all have one shape, and so has the result, or each element of it.
[[gnu::cold]] inline void check_all_to_all(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const first = operand_shape(i, 0);
  for (std::size_t k = 1; first && k < i.operand_count(); ++k) {
    const shape* const own = operand_shape(i, k);
    if (own && own != first && (dimensions_differ(*own, *first) || certainly_differ(own->type, first->type)))
      return out.add(place, str_cat({"all-to-all takes operands of one shape, but has ", to_string(*first), " and ",
                                     to_string(*own)}));
  }
  if (const shape* const own = known_array(first); own && i.has(attribute_key::dimensions))
    if (!one_dimension(i, attribute_key::dimensions, *own, out)) return;
  check_operands_kept(i, place, out);
}

/// Whether an array is as another, but for a dimension that is a multiple of the other's.
inline bool grows_along(const shape& small, const shape& large, std::size_t dimension) {
  if (small.rank() != large.rank()) return false;
  for (std::size_t d = 0; d < small.rank(); ++d) {
    const std::int64_t a = small.dimensions[d].size, b = large.dimensions[d].size;
    if (d != dimension ? a != b : a != 0 && b % a != 0) return false;
  }
  return true;
}

/// The named dimension of each operand is gathered from all devices of a group, or scattered to them; all others stay.
[[gnu::cold]] inline void check_shards(const hlo_instruction& i, const shape* result, bool gathers, std::uint32_t place,
                                       findings& out) {
  if (!check_parts(i, result, place, out)) return;
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    if (const shape* const own = operand_shape(i, k); own && !own->is_array())
      return out.add(place, str_cat({name_of(i.opcode()), " works on arrays, not on ", to_string(*own)}));
    const shape *const own = known_operand(i, k), *const part = known_array(array_of(i, result, k));
    // Programs for Trainium hand on a scalar beside the arrays, which XLA's verifier refuses but their compiler takes.
    if (!own || (own->rank() == 0 && i.operand_count() > 1)) continue;
    const auto along = one_dimension(i, attribute_key::dimensions, *own, out);
    if (!along) return;
    if (!part) continue;
    if (certainly_differ(own->type, part->type) ||
        !(gathers ? grows_along(*own, *part, *along) : grows_along(*part, *own, *along)))
      return out.add(place, str_cat({name_of(i.opcode()), " of ", to_string(*own), " along dimension ", *along,
                                     " cannot be ", to_string(*part)}));
  }
}

/// The result of a start that has two parts, operands and results; null if it has another form.
inline const shape* result_of_start(const hlo_instruction& i) {
  const shape* const whole = i.shape();
  return whole && whole->is_tuple() && whole->elements.size() >= 2 ? &whole->elements[1] : nullptr;
}
/// The first part of the result of a start are its operands.
[[gnu::cold]] inline bool check_start_operands(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const whole = i.shape();
  if (!result_of_start(i) || i.operand_count() == 0) return false;
  const shape& first = whole->elements[0];
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    const shape *const own = operand_shape(i, k), *const part = array_of(i, &first, k);
    if (own && part && !own->is_tuple() && !check_same(i, *own, *part, place, out)) return false;
  }
  return true;
}
[[gnu::cold]] inline void check_all_gather_start(const hlo_instruction& i, std::uint32_t place, findings& out) {
  if (check_start_operands(i, place, out)) check_shards(i, result_of_start(i), true, place, out);
}
[[gnu::cold]] inline void check_permute_start(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = operand_shape(i, 0), *const result = result_of_start(i);
  if (i.operand_count() == 1 && check_start_operands(i, place, out) && own && result && own->is_array())
    check_same(i, *own, *result, place, out);
}

/// A copy-start gives the destination, the source and a context.
[[gnu::cold]] inline void check_copy_start(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = operand_shape(i, 0), *const result = i.shape();
  if (!own || !result || result->type == element_type::unknown) return;
  if (!result->is_tuple() || result->elements.size() != 3)
    return out.add(place, str_cat({"copy-start gives destination, source and context, not ", to_string(*result)}));
  if (check_same(i, *own, result->elements[0], place, out)) check_same(i, *own, result->elements[1], place, out);
}

}  // namespace hlolint::module_rules
