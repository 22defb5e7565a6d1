// The shapes of operations that exchange data between devices, and of those that run in the background (hlo_text.md
// 8.1).
#pragma once

#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// The array of a result that belongs to operand k: the result, or an element of a tuple; null if there is none.
inline const shape* array_of(const shape_case& c, const shape* result, std::size_t k) {
  const std::size_t count = c.i.operand_count();
  return result && result->is_tuple() && result->elements.size() != count ? nullptr : part_of(result, k, count);
}

/// The result of several operands is a tuple of as many elements. False after a finding.
inline bool check_parts(const shape_case& c, const shape* result) {
  const std::size_t count = c.i.operand_count();
  return count < 2 || !result || result->type == element_type::unknown ||
         (result->is_tuple() && result->elements.size() == count) ||
         c.fail(c.name(), " of ", count, " operands gives a tuple of as many, not ", *result);
}

/// Each array of the result has the shape of its operand.
[[gnu::cold]] inline void check_operands_kept(const shape_case& c) {
  if (!check_parts(c, c.result)) return;
  for (std::size_t k = 0; k < c.i.operand_count(); ++k) {
    const shape* const own = c.operand(k);
    const shape* const part = own && own->is_tuple() && c.i.operand_count() == 1 ? c.result : array_of(c, c.result, k);
    if (own && part && !check_same(c, *own, *part)) return;
  }
}

/// All operands of an all-to-all have one shape, and so has the result, or each element of it.
[[gnu::cold]] inline void check_all_to_all(const shape_case& c) {
  const shape* const first = c.operand(0);
  for (std::size_t k = 1; first && k < c.i.operand_count(); ++k) {
    const shape* const own = c.operand(k);
    if (own && own != first && (dimensions_differ(*own, *first) || certainly_differ(own->type, first->type)))
      return void(c.fail("all-to-all takes operands of one shape, but has ", *first, " and ", *own));
  }
  if (const shape* const own = known_array(first); own && c.i.has(attribute_key::dimensions))
    if (!one_dimension(c, attribute_key::dimensions, *own)) return;
  check_operands_kept(c);
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
[[gnu::cold]] inline void check_shards(const shape_case& c, const shape* result, bool gathers) {
  if (!check_parts(c, result)) return;
  for (std::size_t k = 0; k < c.i.operand_count(); ++k) {
    if (const shape* const own = c.operand(k); own && !own->is_array())
      return void(c.fail(c.name(), " works on arrays, not on ", *own));
    const shape *const own = c.array(k), *const part = known_array(array_of(c, result, k));
    // Programs for Trainium hand on a scalar beside the arrays, which XLA's verifier refuses but their compiler takes.
    if (!own || (own->rank() == 0 && c.i.operand_count() > 1)) continue;
    const auto along = one_dimension(c, attribute_key::dimensions, *own);
    if (!along) return;
    if (!part) continue;
    if (certainly_differ(own->type, part->type) ||
        !(gathers ? grows_along(*own, *part, *along) : grows_along(*part, *own, *along)))
      return void(c.fail(c.name(), " of ", *own, " along dimension ", *along, " cannot be ", *part));
  }
}

/// The first part of the result of a start are its operands. False after a finding, or if the result has another form.
[[gnu::cold]] inline bool check_start_operands(const shape_case& c) {
  const shape* const first = element_of(c.result, 0);
  if (!element_of(c.result, 1) || c.i.operand_count() == 0) return false;
  for (std::size_t k = 0; k < c.i.operand_count(); ++k) {
    const shape *const own = c.operand(k), *const part = array_of(c, first, k);
    if (own && part && !own->is_tuple() && !check_same(c, *own, *part)) return false;
  }
  return true;
}
[[gnu::cold]] inline void check_all_gather_start(const shape_case& c) {
  if (check_start_operands(c)) check_shards(c, element_of(c.result, 1), true);
}
[[gnu::cold]] inline void check_permute_start(const shape_case& c) {
  const shape* const own = c.operand(0);
  if (c.i.operand_count() == 1 && check_start_operands(c) && own && own->is_array())
    check_same(c, *own, c.result->elements[1]);
}

/// A copy-start gives the destination, the source and a context.
[[gnu::cold]] inline void check_copy_start(const shape_case& c) {
  const shape *const own = c.operand(0), *const result = c.result;
  if (!own || !result || result->type == element_type::unknown) return;
  if (!result->is_tuple() || result->elements.size() != 3)
    c.fail("copy-start gives destination, source and context, not ", *result);
  else if (check_same(c, *own, result->elements[0]))
    check_same(c, *own, result->elements[1]);
}

}  // namespace hlolint::module_rules
