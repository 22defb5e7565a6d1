// The shapes of elementwise operations: the dimensions of operands and result are equal, and the opcode fixes their
// types (hlo_text.md 8.1).
#pragma once

#include <hlolint/verify/shapes/compare.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// A set of element types.
using element_type_set = enum_set<element_type, element_type_names.size()>;

/// What the opcode of an elementwise operation asks of its types.
enum class elementwise_types : std::uint8_t {
  none,      ///< not an operation that is checked
  any,       ///< only the dimensions are equal
  same,      ///< operands and result have one type
  of_result  ///< operands have one type, which fixes that of the result
};
constexpr elementwise_types types_of(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    // clang-format off
    case add: case and_: case atan2: case divide: case maximum: case minimum: case multiply: case or_: case power:
    case remainder: case shift_left: case shift_right_arithmetic: case shift_right_logical: case subtract: case xor_:
    case acos: case acosh: case asin: case asinh: case atanh: case cbrt: case ceil: case copy: case cosh: case cosine:
    case count_leading_zeros: case erf: case exp2: case exponential: case exponential_minus_one: case floor: case log:
    case log_plus_one: case log2: case logistic: case mulhi: case negate: case not_: case popcnt: case reduce_precision:
    case round_nearest_afz: case round_nearest_even: case rsqrt: case sign: case sine: case sinh: case sqrt: case tan:
    case tanh:
      // clang-format on
      return elementwise_types::same;
    case abs:
    case compare:
    case complex:
    case imag:
    case is_finite:
    case real: return elementwise_types::of_result;
    case convert: return elementwise_types::any;
    default: return elementwise_types::none;
  }
}

/// The element types that an operand of an elementwise operation may have, and how a message names them.
struct operand_types {
  element_type_set accepted;
  std::string_view name;
};

/// The sets of types that operations take. Types that are not known are in all of them.
namespace type_sets {
using enum element_type;
constexpr element_type_set where(bool (*has)(element_type)) {
  element_type_set out{unknown};
  for (std::size_t k = 0; k < element_type_names.size(); ++k)
    if (has(static_cast<element_type>(k))) out.add(static_cast<element_type>(k));
  return out;
}
constexpr bool is_complex(element_type t) { return t == c64 || t == c128; }
constexpr bool is_inexact(element_type t) { return is_floating_point(t) || is_complex(t); }
inline constexpr operand_types floating{where(is_floating_point), "a floating-point type"};
inline constexpr operand_types floating_or_complex{where(is_inexact), "a floating-point or complex type"};
inline constexpr operand_types integer{where(is_integer), "an integer type"};
inline constexpr operand_types integer_or_pred{where([](element_type t) { return is_integer(t) || t == pred; }),
                                               "pred or an integer type"};
inline constexpr operand_types has_sign{where([](element_type t) { return is_inexact(t) || (s1 <= t && t <= s64); }),
                                        "a signed, floating-point or complex type"};
inline constexpr operand_types arithmetic{where([](element_type t) { return is_inexact(t) || is_integer(t); }),
                                          "an integer, floating-point or complex type"};
}  // namespace type_sets

/// Null for an operation of any type.
constexpr const operand_types* operand_types_of(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    // clang-format off
    case cbrt: case cosine: case exponential: case exponential_minus_one: case imag: case log: case log_plus_one:
    case logistic: case real: case rsqrt: case sine: case sqrt: case tan: case tanh:
      return &type_sets::floating_or_complex;
    case ceil: case complex: case floor: case is_finite: case reduce_precision: case round_nearest_afz:
    case round_nearest_even: return &type_sets::floating;
    case count_leading_zeros: case popcnt: return &type_sets::integer;
    case and_: case not_: case or_: case xor_: return &type_sets::integer_or_pred;
    case abs: case sign: return &type_sets::has_sign;
    case atan2: case divide: case negate: case power: case remainder: case shift_left: case shift_right_arithmetic:
    case shift_right_logical: case subtract: return &type_sets::arithmetic;
      // clang-format on
    default: return nullptr;
  }
}

/// The two tables as one.
struct elementwise_rule {
  elementwise_types types = elementwise_types::none;
  const operand_types* operands = nullptr;
};
inline constexpr auto elementwise_rules = [] {
  std::array<elementwise_rule, hlo_opcode_names.size()> out{};
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = {types_of(static_cast<hlo_opcode>(k)), operand_types_of(static_cast<hlo_opcode>(k))};
  return out;
}();

/// The type of the result of an operation whose operand has this type.
constexpr element_type result_type_of(hlo_opcode opcode, element_type operand) {
  using enum element_type;
  if (opcode == hlo_opcode::compare || opcode == hlo_opcode::is_finite) return pred;
  if (opcode == hlo_opcode::complex) return operand == f32 ? c64 : operand == f64 ? c128 : unknown;
  return operand == c64 ? f32 : operand == c128 ? f64 : operand;
}

/// The `type` of a comparison is that of its operands.
[[gnu::cold]] inline void check_comparison_type(const hlo_instruction& i, findings& out) {
  const auto type = i.attribute(attribute_key::type);
  const shape* const own = operand_shape(i, 0);
  if (!type || !own || own->type == element_type::unknown) return;
  const bool is_signed = element_type::s1 <= own->type && own->type <= element_type::s64,
             is_unsigned = own->type == element_type::pred || (is_integer(own->type) && !is_signed);
  if ((*type == "SIGNED") != is_signed || (*type == "UNSIGNED") != is_unsigned)
    out.add(i.attribute_location(attribute_key::type).at.begin,
            str_cat({"a comparison of ", name_of(own->type), " is not of the type ", *type}));
}

/// Operands and result have equal dimensions and types that fit.
inline void check_elementwise(const hlo_instruction& i, const elementwise_rule& rule, std::uint32_t place,
                              findings& out) {
  const shape *const result = i.shape(), *const first = operand_shape(i, 0);
  if (!result || !first) return;
  if (!first->is_array() && i.opcode() != hlo_opcode::copy)
    return out.add(place, str_cat({name_of(i.opcode()), " works on arrays, not on ", to_string(*first)}));
  if (!result->is_array()) return;
  const elementwise_types types = rule.types;
  for (std::size_t k = 0; k < i.operand_count(); ++k) {
    const shape* const own = operand_shape(i, k);
    if (!own || own == result || !own->is_array()) continue;
    if (dimensions_differ(*own, *result))
      return out.add(place, str_cat({name_of(i.opcode()), " of ", to_string(*own), " cannot be ", to_string(*result),
                                     ": its operands and its result have the same dimensions"}));
    if (types == elementwise_types::any) continue;
    if (k > 0 && first->is_array() && certainly_differ(own->type, first->type))
      return out.add(place, str_cat({name_of(i.opcode()), " of ", name_of(first->type), " and ", name_of(own->type),
                                     ": its operands have one element type"}));
    if (types == elementwise_types::same && certainly_differ(own->type, result->type))
      return out.add(place, str_cat({name_of(i.opcode()), " of ", name_of(own->type), " cannot be ",
                                     name_of(result->type), ": its operands and its result have one element type"}));
  }
  if (rule.operands && first->is_array() && !rule.operands->accepted.has(first->type))
    return out.add(
        place, str_cat({name_of(i.opcode()), " works on ", rule.operands->name, ", not on ", name_of(first->type)}));
  if (types != elementwise_types::of_result) return;
  if (const element_type type = result_type_of(i.opcode(), first->type); certainly_differ(type, result->type))
    return out.add(place, str_cat({"the result of ", name_of(i.opcode()), " is of ", name_of(type), ", not ",
                                   name_of(result->type)}));
  if (i.opcode() == hlo_opcode::compare) check_comparison_type(i, out);
}

/// The selector has the dimensions of the result or is a scalar; both choices have the shape of the result.
inline void check_select(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const result = i.shape(), *const selector = operand_shape(i, 0);
  if (!result || !selector || !result->is_array()) return;
  if (selector->is_array() && certainly_differ(selector->type, element_type::pred))
    return out.add(place, str_cat({"the first operand of select is of pred, not ", name_of(selector->type)}));
  if (selector->rank() > 0 && dimensions_differ(*selector, *result))
    return out.add(place, str_cat({"select by ", to_string(*selector), " cannot be ", to_string(*result),
                                   ": its first operand is a scalar or has the dimensions of the result"}));
  for (std::size_t k = 1; k < 3; ++k)
    if (const shape* const own = operand_shape(i, k); own && !check_same(i, *own, *result, place, out)) return;
}

/// The limits have the dimensions of the result or are scalars.
inline void check_clamp(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  if (!result || !result->is_array()) return;
  for (std::size_t k = 0; k < 3; ++k) {
    const shape* const own = operand_shape(i, k);
    if (!own || !own->is_array()) continue;
    if (certainly_differ(own->type, result->type))
      return out.add(place, str_cat({"clamp of ", name_of(own->type), " cannot be ", name_of(result->type),
                                     ": its operands and its result have one element type"}));
    if ((k == 1 || own->rank() > 0) && dimensions_differ(*own, *result))
      return out.add(place, str_cat({"clamp of ", to_string(*own), " cannot be ", to_string(*result),
                                     ": its operands have the dimensions of its result, or are scalar limits"}));
  }
}

/// A type of another width adds or takes away a last dimension.
inline void check_bitcast_convert(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = known_operand(i, 0), *const result = known_array(i.shape());
  if (!own || !result) return;
  const int from = bit_width(own->type), to = bit_width(result->type);
  if (from == 0 || to == 0) return;
  dimension_numbers sizes;
  for (const dimension& d : own->dimensions) sizes.push_back(d.size);
  if (from > to) sizes.push_back(from / to);
  if (from < to && !sizes.empty() && sizes.back() == to / from)
    sizes.pop_back();
  else if (from < to)
    return out.add(place, str_cat({"bitcast-convert of ", to_string(*own), " cannot be ", to_string(*result), ": ",
                                   to / from, " elements become one, which are the last dimension"}));
  check_result(i, 1, sizes, place, out);
}

/// The bits of an array that has no tiles, which pad it; negative if they are not certain.
inline std::int64_t bits_of(const shape& s) {
  std::int64_t bits = bit_width(s.type);
  if (bits == 0 || (!s.layout ? s.rank() != 0 : !s.layout->tiles.empty())) return -1;
  for (const dimension& d : s.dimensions)
    if (d.dynamic || __builtin_mul_overflow(bits, d.size, &bits)) return -1;
  return bits;
}

/// The number of bits stays the same, unless one of the arrays is tiled: a TPU may then count padding as elements.
inline void check_bitcast(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = operand_shape(i, 0), *const result = i.shape();
  if (!own || !result || own == result) return;
  const std::int64_t from = bits_of(*own), to = bits_of(*result);
  if (from != to && from >= 0 && to >= 0)
    out.add(place, str_cat({"bitcast of ", to_string(*own), " cannot be ", to_string(*result),
                            ": it keeps the number of bytes"}));
}

}  // namespace hlolint::module_rules
