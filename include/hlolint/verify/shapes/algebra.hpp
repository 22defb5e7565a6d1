// The shapes of operations of linear algebra, of Fourier transforms, of normalization and of random numbers
// (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// The last two dimensions are equal. False after a finding.
inline bool check_square(const hlo_instruction& i, const shape& own, std::uint32_t place, findings& out) {
  const std::size_t rank = own.rank();
  if (rank >= 2 && own.dimensions[rank - 1].size == own.dimensions[rank - 2].size) return true;
  out.add(place, str_cat({name_of(i.opcode()), " takes square matrices, not ", to_string(own)}));
  return false;
}

[[gnu::cold]] inline void check_cholesky(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = known_operand(i, 0), *const result = i.shape();
  if (own && check_square(i, *own, place, out) && result) check_same(i, *own, *result, place, out);
}

/// a x = b, or x a = b: a side of b has the size of a, and the result has the shape of b.
[[gnu::cold]] inline void check_triangular_solve(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const a = known_operand(i, 0), *const b = known_operand(i, 1), *const result = i.shape();
  if (!a || !b || !check_square(i, *a, place, out)) return;
  const std::size_t rank = b->rank(), side = get_boolean(i, attribute_key::left_side) ? 2 : 1;
  bool fits = rank == a->rank() && !certainly_differ(a->type, b->type);
  for (std::size_t d = 0; fits && d + 2 < rank; ++d) fits = a->dimensions[d].size == b->dimensions[d].size;
  if (!fits || b->dimensions[rank - side].size != a->dimensions[rank - 1].size)
    return out.add(place, str_cat({"triangular-solve cannot take ", to_string(*a), " and ", to_string(*b),
                                   side == 2 ? " with left_side=true" : ""}));
  if (result) check_same(i, *b, *result, place, out);
}

/// The state that goes in comes out.
[[gnu::cold]] inline void check_random_bits(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = operand_shape(i, 0), *const result = i.shape();
  if (own && result && result->is_tuple() && result->elements.size() == 2)
    check_same(i, *own, result->elements[0], place, out);
}

/// The two operands of random numbers are scalars of the type of the result.
[[gnu::cold]] inline void check_random_numbers(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  for (std::size_t k = 0; result && result->is_array() && k < 2; ++k)
    if (const shape* const own = operand_shape(i, k); own && is_no_scalar_of(*own, result->type))
      return out.add(place,
                     str_cat({"rng of ", to_string(*result), " takes scalars of its type, not ", to_string(*own)}));
}

/// Scale, offset, mean and variance have a number for each feature of the operand.
[[gnu::cold]] inline void check_batch_norm(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const own = known_operand(i, 0);
  const auto feature = own ? get_integer(i, attribute_key::feature_index) : std::nullopt;
  if (!feature) return;
  if (*feature < 0 || static_cast<std::size_t>(*feature) >= own->rank())
    return out.add(i.attribute_location(attribute_key::feature_index).at.begin,
                   str_cat({"there is no dimension ", *feature, " in ", to_string(*own)}));
  const bool is_grad = i.opcode() == hlo_opcode::batch_norm_grad;
  for (std::size_t k = 1; k < i.operand_count() && !(is_grad && k == 4); ++k) {
    const shape* const other = known_operand(i, k);
    if (!other || (other->rank() == 1 && other->dimensions[0].size == size_of(*own, *feature))) continue;
    return out.add(place, str_cat({name_of(i.opcode()), " of ", to_string(*own), " with feature_index=", *feature,
                                   ": operand ", k, " has a number for each feature, not ", to_string(*other)}));
  }
}

/// A transform from or to real numbers has the lengths of the last dimensions, the last one of which is half as long in
/// the complex array. Other transforms keep the shape.
[[gnu::cold]] inline void check_fft(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = known_operand(i, 0), *const result = i.shape();
  const auto lengths = own ? numbers_of(i, attribute_key::fft_length) : std::nullopt;
  const auto type = i.attribute(attribute_key::fft_type);
  if (!lengths || !type || lengths->empty()) return;
  const std::uint32_t at = i.attribute_location(attribute_key::fft_length).at.begin;
  if (lengths->size() > own->rank())
    return out.add(at, str_cat({"fft_length has ", counted(lengths->size(), "dimension"), ", but the operand is ",
                                to_string(*own)}));
  const bool to_real = *type == "IRFFT", from_real = *type == "RFFT";
  if (!to_real && !from_real) {
    if (result) check_same(i, *own, *result, place, out);
    return;
  }
  const std::int64_t length = lengths->back(), half = length == 0 ? 0 : length / 2 + 1;
  dimension_numbers sizes;
  for (const dimension& d : own->dimensions) sizes.push_back(d.size);
  const std::size_t before = own->rank() - lengths->size();
  for (std::size_t d = 0; d < lengths->size(); ++d)
    if (sizes[before + d] != (to_real && d + 1 == lengths->size() ? half : (*lengths)[d]))
      return out.add(at, str_cat({"a transform of these lengths does not fit ", to_string(*own)}));
  sizes.back() = to_real ? length : half;
  check_result(i, 1, sizes, place, out);
}

}  // namespace hlolint::module_rules
