// The shapes of elementwise operations: the dimensions of operands and result are equal, and the opcode fixes their
// types (hlo_text.md 8.1).
#pragma once

#include <hlolint/ir/elementwise.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

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
  using enum hlo_opcode;
  if (opcode == convert) return elementwise_types::any;
  if (opcode_set{abs, compare, complex, imag, is_finite, real}.has(opcode)) return elementwise_types::of_result;
  return keeps_element_type(opcode) && opcode != select && opcode != clamp ? elementwise_types::same
                                                                           : elementwise_types::none;
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

/// The result of an elementwise operation has the dimensions of the last operand.
inline inferred infer_elementwise(const shape_case& c) {
  const std::size_t count = c.i.operand_count();
  const shape* const own = count > 0 ? c.operand(count - 1) : nullptr;
  const elementwise_types types = types_of(c.i.opcode());
  if (!own || types == elementwise_types::none || types == elementwise_types::any) return {};
  if (types == elementwise_types::same) return inferred(own);
  const element_type type = result_type_of(c.i.opcode(), own->type);
  return type == element_type::unknown ? inferred() : inferred(own, type);
}

/// The `type` of a comparison is that of its operands.
[[gnu::cold]] inline void check_comparison_type(const shape_case& c) {
  const auto type = c.i.attribute(attribute_key::type);
  const shape* const own = c.operand(0);
  if (!type || !own || own->type == element_type::unknown) return;
  const bool is_signed = element_type::s1 <= own->type && own->type <= element_type::s64,
             is_unsigned = own->type == element_type::pred || (is_integer(own->type) && !is_signed);
  if ((*type == "SIGNED") != is_signed || (*type == "UNSIGNED") != is_unsigned)
    c.fail_at(attribute_key::type, "a comparison of ", own->type, " is not of the type ", *type);
}

/// Operands and result have equal dimensions and types that fit. False after a finding.
inline bool check_elementwise(const shape_case& c, const elementwise_rule& rule) {
  const shape *const result = c.result, *const first = operand_shape(c.i, 0);
  if (!result || !first) return true;
  if (!first->is_array() && c.i.opcode() != hlo_opcode::copy)
    return c.fail(c.name(), " works on arrays, not on ", *first);
  if (!result->is_array()) return true;
  const elementwise_types types = rule.types;
  for (std::size_t k = 0; k < c.i.operand_count(); ++k) {
    const shape* const own = operand_shape(c.i, k);
    if (!own || own == result || !own->is_array()) continue;
    if (dimensions_differ(*own, *result))
      return c.fail(c.name(), " of ", *own, " cannot be ", *result,
                    ": its operands and its result have the same dimensions");
    if (types == elementwise_types::any) continue;
    if (k > 0 && first->is_array() && certainly_differ(own->type, first->type))
      return c.fail(c.name(), " of ", first->type, " and ", own->type, ": its operands have one element type");
    if (types == elementwise_types::same && certainly_differ(own->type, result->type))
      return c.fail(c.name(), " of ", own->type, " cannot be ", result->type,
                    ": its operands and its result have one element type");
  }
  if (rule.operands && first->is_array() && !rule.operands->accepted.has(first->type))
    return c.fail(c.name(), " works on ", rule.operands->name, ", not on ", first->type);
  if (types != elementwise_types::of_result) return true;
  if (const element_type type = result_type_of(c.i.opcode(), first->type); certainly_differ(type, result->type))
    return c.fail("the result of ", c.name(), " is of ", type, ", not ", result->type);
  if (c.i.opcode() == hlo_opcode::compare) check_comparison_type(c);
  return true;
}

/// The selector has the dimensions of the result or is a scalar; both choices have the shape of the result.
inline void check_select(const shape_case& c) {
  const shape *const result = c.result, *const selector = c.operand(0);
  if (!result || !selector || !result->is_array()) return;
  if (selector->is_array() && certainly_differ(selector->type, element_type::pred))
    return void(c.fail("the first operand of select is of pred, not ", selector->type));
  if (selector->rank() > 0 && dimensions_differ(*selector, *result))
    return void(c.fail("select by ", *selector, " cannot be ", *result,
                       ": its first operand is a scalar or has the dimensions of the result"));
  for (std::size_t k = 1; k < 3; ++k)
    if (const shape* const own = c.operand(k); own && !check_same(c, *own, *result)) return;
}

/// The limits have the dimensions of the result or are scalars.
inline void check_clamp(const shape_case& c) {
  const shape* const result = c.result;
  if (!result || !result->is_array()) return;
  for (std::size_t k = 0; k < 3; ++k) {
    const shape* const own = c.operand(k);
    if (!own || !own->is_array()) continue;
    if (certainly_differ(own->type, result->type))
      return void(c.fail("clamp of ", own->type, " cannot be ", result->type,
                         ": its operands and its result have one element type"));
    if ((k == 1 || own->rank() > 0) && dimensions_differ(*own, *result))
      return void(c.fail("clamp of ", *own, " cannot be ", *result,
                         ": its operands have the dimensions of its result, or are scalar limits"));
  }
}

/// A type of another width adds or takes away a last dimension.
inline inferred infer_bitcast_convert(const shape_case& c) {
  const shape *const own = c.array(0), *const result = known_array(c.result);
  if (!own || !result) return {};
  const int from = bit_width(own->type), to = bit_width(result->type);
  if (from == 0 || to == 0) return {};
  dimension_numbers sizes = sizes_of(*own);
  if (from > to) sizes.push_back(from / to);
  if (from < to && !sizes.empty() && sizes.back() == to / from)
    sizes.pop_back();
  else if (from < to)
    return c.fail("bitcast-convert of ", *own, " cannot be ", *result, ": ", to / from,
                  " elements become one, which are the last dimension");
  return {std::move(sizes), 1, nullptr};
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
inline void check_bitcast(const shape_case& c) {
  const shape *const own = c.operand(0), *const result = c.result;
  if (!own || !result || own == result) return;
  const std::int64_t from = bits_of(*own), to = bits_of(*result);
  if (from != to && from >= 0 && to >= 0)
    c.fail("bitcast of ", *own, " cannot be ", *result, ": it keeps the number of bytes");
}

}  // namespace hlolint::module_rules
