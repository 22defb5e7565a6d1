// The shapes of operations of linear algebra, of Fourier transforms, of normalization and of random numbers
// (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hlolint::module_rules {

/// The last two dimensions are equal. False after a finding.
inline bool check_square(const shape_case& c, const shape& own) {
  const std::size_t rank = own.rank();
  if (rank >= 2 && own.dimensions[rank - 1].size == own.dimensions[rank - 2].size) return true;
  return c.fail(c.name(), " takes square matrices, not ", own);
}

[[gnu::cold]] inline inferred infer_cholesky(const shape_case& c) {
  const shape* const own = c.array(0);
  return own && check_square(c, *own) ? inferred(own) : inferred();
}

/// a x = b, or x a = b: a side of b has the size of a, and the result has the shape of b.
[[gnu::cold]] inline inferred infer_triangular_solve(const shape_case& c) {
  const shape *const a = c.array(0), *const b = c.array(1);
  if (!a || !b || !check_square(c, *a)) return {};
  const std::size_t rank = b->rank(), side = get_boolean(c.i, attribute_key::left_side) ? 2 : 1;
  bool fits = rank == a->rank() && !certainly_differ(a->type, b->type);
  for (std::size_t d = 0; fits && d + 2 < rank; ++d) fits = a->dimensions[d].size == b->dimensions[d].size;
  if (!fits || b->dimensions[rank - side].size != a->dimensions[rank - 1].size)
    return c.fail("triangular-solve cannot take ", *a, " and ", *b, side == 2 ? " with left_side=true" : "");
  return inferred(b);
}

/// The state that goes in comes out.
[[gnu::cold]] inline void check_random_bits(const shape_case& c) {
  const shape* const own = c.operand(0);
  if (own && c.result && c.result->is_tuple() && c.result->elements.size() == 2)
    check_same(c, *own, c.result->elements[0]);
}

/// The two operands of random numbers are scalars of the type of the result.
[[gnu::cold]] inline void check_random_numbers(const shape_case& c) {
  for (std::size_t k = 0; c.result && c.result->is_array() && k < 2; ++k)
    if (const shape* const own = c.operand(k); own && is_no_scalar_of(*own, c.result->type))
      return void(c.fail("rng of ", *c.result, " takes scalars of its type, not ", *own));
}

/// Scale, offset, mean and variance have a number for each feature of the operand.
[[gnu::cold]] inline void check_batch_norm(const shape_case& c) {
  const shape* const own = c.array(0);
  const auto feature = own ? dimension_number(c, attribute_key::feature_index, *own) : std::nullopt;
  if (!feature) return;
  const bool is_grad = c.i.opcode() == hlo_opcode::batch_norm_grad;
  for (std::size_t k = 1; k < c.i.operand_count() && !(is_grad && k == 4); ++k) {
    const shape* const other = c.array(k);
    if (other && (other->rank() != 1 || other->dimensions[0].size != size_of(*own, *feature)))
      return void(c.fail(c.name(), " of ", *own, " with feature_index=", *feature, ": operand ", k,
                         " has a number for each feature, not ", *other));
  }
}

/// A transform from or to real numbers has the lengths of the last dimensions, the last one of which is half as long in
/// the complex array. Other transforms keep the shape.
[[gnu::cold]] inline inferred infer_fft(const shape_case& c) {
  const shape* const own = c.array(0);
  const auto lengths = own ? c.numbers(attribute_key::fft_length) : std::nullopt;
  const auto type = c.i.attribute(attribute_key::fft_type);
  if (!lengths || !type || lengths->empty()) return {};
  if (lengths->size() > own->rank())
    return c.fail_at(attribute_key::fft_length, "fft_length has ", counted(lengths->size(), "dimension"),
                     ", but the operand is ", *own);
  const bool to_real = *type == "IRFFT", from_real = *type == "RFFT";
  if (!to_real && !from_real) return inferred(own);
  const std::int64_t length = lengths->back(), half = length == 0 ? 0 : length / 2 + 1;
  dimension_numbers sizes = sizes_of(*own);
  const std::size_t before = own->rank() - lengths->size();
  for (std::size_t d = 0; d < lengths->size(); ++d)
    if (sizes[before + d] != (to_real && d + 1 == lengths->size() ? half : (*lengths)[d]))
      return c.fail_at(attribute_key::fft_length, "a transform of these lengths does not fit ", *own);
  sizes.back() = to_real ? length : half;
  return {std::move(sizes), 1, nullptr};
}

}  // namespace hlolint::module_rules
