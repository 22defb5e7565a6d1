// The rules of XLA's verifier about the declared shapes of a result and its operands, where they are certain whatever
// options XLA verifies with (hlo_text.md 8.1). Floating-point types may differ: XLA allows mixed precision. Dynamic
// dimensions and shapes that the text does not declare are not checked.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/operands.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// Whether two types certainly differ: neither is unknown, and not both are floating-point types.
constexpr bool certainly_differ(element_type a, element_type b) {
  return a != b && a != element_type::unknown && b != element_type::unknown &&
         !(is_floating_point(a) && is_floating_point(b));
}
/// Whether the dimensions of two arrays certainly differ.
inline bool dimensions_differ(const shape& a, const shape& b) {
  if (!a.is_array() || !b.is_array() || !a.is_static() || !b.is_static()) return false;
  if (a.rank() != b.rank()) return true;
  for (std::size_t d = 0; d < a.rank(); ++d)
    if (a.dimensions[d].size != b.dimensions[d].size) return true;
  return false;
}

/// Whether two shapes certainly differ, in a part that is no array: in the number of its elements.
inline bool certainly_differ(const shape& a, const shape& b) {
  if (&a == &b || a.type == element_type::unknown || b.type == element_type::unknown) return false;
  if (a.is_tuple() != b.is_tuple()) return true;
  if (!a.is_tuple()) return certainly_differ(a.type, b.type) || dimensions_differ(a, b);
  if (a.elements.size() != b.elements.size()) return true;
  for (std::size_t k = 0; k < a.elements.size(); ++k)
    if (certainly_differ(a.elements[k], b.elements[k])) return true;
  return false;
}

/// What the opcode of an elementwise operation asks of its types.
enum class elementwise_types : std::uint8_t {
  none,         ///< not an operation that is checked
  any,          ///< only the dimensions are equal
  same,         ///< operands and result have one type
  same_to_pred  ///< operands have one type, the result is pred
};
constexpr elementwise_types types_of(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    // clang-format off
    case add: case and_: case atan2: case divide: case maximum: case minimum: case multiply: case or_: case power:
    case remainder: case shift_left: case shift_right_arithmetic: case shift_right_logical: case subtract: case xor_:
    case cbrt: case ceil: case copy: case cosine: case erf: case exp2: case exponential: case exponential_minus_one:
    case floor: case log: case log_plus_one: case log2: case logistic: case negate: case not_: case round_nearest_afz:
    case round_nearest_even: case rsqrt: case sign: case sine: case sqrt: case tan: case tanh: case reverse:
      // clang-format on
      return elementwise_types::same;
    case compare: return elementwise_types::same_to_pred;
    case abs:
    case convert:
    case imag:
    case is_finite:
    case real:
    case complex: return elementwise_types::any;
    default: return elementwise_types::none;
  }
}

/// The number of the first operand whose dimensions or type cannot be those of the operation.
inline void check_elementwise(const hlo_instruction& i, elementwise_types types, std::uint32_t place, findings& out) {
  const shape *const result = i.shape(), *const first = operand_shape(i, 0);
  if (!result || !result->is_array() || !first) return;
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
  if (types == elementwise_types::same_to_pred && result->type != element_type::pred &&
      result->type != element_type::unknown)
    out.add(place, str_cat({"the result of ", name_of(i.opcode()), " is of pred, not ", name_of(result->type)}));
}

/// The one dimension of the operands is added up, all others are equal.
[[gnu::cold]] inline void check_concatenate(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  const auto along = get_integers(i, attribute_key::dimensions);
  if (!result || !result->is_array() || !result->is_static() || !along || along->size() != 1) return;
  const auto dimension = static_cast<std::size_t>(along->front());
  if (along->front() < 0 || dimension >= result->rank()) return;
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
  const auto to = get_integers(i, attribute_key::dimensions);
  if (!to || !result->is_static() || !own->is_static()) return;
  bool fits = to->size() == own->rank();
  for (std::size_t d = 0; fits && d < own->rank(); ++d)
    fits = (*to)[d] >= 0 && static_cast<std::size_t>((*to)[d]) < result->rank() &&
           result->dimensions[static_cast<std::size_t>((*to)[d])].size == own->dimensions[d].size;
  if (!fits)
    out.add(place,
            str_cat({"a broadcast of ", to_string(*own), " to these dimensions cannot be ", to_string(*result)}));
}

/// All operands of an all-to-all have one shape.
[[gnu::cold]] inline void check_all_to_all(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const first = operand_shape(i, 0);
  for (std::size_t k = 1; first && k < i.operand_count(); ++k) {
    const shape* const own = operand_shape(i, k);
    if (own && own != first && (dimensions_differ(*own, *first) || certainly_differ(own->type, first->type)))
      return out.add(place, str_cat({"all-to-all takes operands of one shape, but has ", to_string(*first), " and ",
                                     to_string(*own)}));
  }
}

/// A fusion and a call have an operand for each parameter of what they call, of its shape, and the shape of its root. A
/// fusion may have more operands.
[[gnu::cold]] inline void check_called_shapes(const hlo_instruction& i, const hlo_computation& called,
                                              std::size_t parameters, std::uint32_t place, findings& out) {
  const bool is_call = i.opcode() == hlo_opcode::call;
  if (is_call ? parameters != i.operand_count() : parameters > i.operand_count())
    return out.add(place, str_cat({name_of(i.opcode()), " takes one operand for each parameter of its computation, ",
                                   parameters, ", but has ", i.operand_count()}));
  for (const hlo_instruction p : called.instructions()) {
    if (p.opcode() != hlo_opcode::parameter || !p.shape()) continue;
    const std::int64_t number = p.parameter_number().value_or(-1);
    const shape* const own = number < 0 ? nullptr : operand_shape(i, static_cast<std::size_t>(number));
    if (own && certainly_differ(*own, *p.shape()))
      return out.add(place,
                     str_cat({"operand ", number, " is ", to_string(*own), ", but parameter ", number, " of ",
                              called.name(), " is ", to_string(*p.shape())}),
                     p.where().at.begin, "the parameter");
  }
  const shape* const result = called.root() ? called.root().shape() : nullptr;
  if (result && i.shape() && certainly_differ(*i.shape(), *result))
    out.add(place,
            str_cat({name_of(i.opcode()), " of ", called.name(), " gives ", to_string(*result), ", not ",
                     to_string(*i.shape())}),
            called.root().where().at.begin, "the root");
}

/// The elements of a tuple are its operands.
[[gnu::cold]] inline void check_tuple_elements(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  if (!result || !result->is_tuple() || result->elements.size() != i.operand_count()) return;
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const shape* const own = operand_shape(i, k); own && certainly_differ(*own, result->elements[k]))
      return out.add(place, str_cat({"element ", k, " of this tuple is ", to_string(*own), ", not ",
                                     to_string(result->elements[k])}));
}

/// The index of a get-tuple-element is one of the tuple, and the result is that element.
inline void check_get_tuple_element(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const whole = operand_shape(i, 0);
  const auto written = i.attribute(attribute_key::index);  // there are many of them, so digits are read as such
  if (!whole || whole->type == element_type::unknown || !written) return;
  const std::int64_t index = leading_integer(*written).value_or(-1);
  const std::uint32_t at = i.attribute_location(attribute_key::index).at.begin;
  if (!whole->is_tuple()) return out.add(place, "only a tuple has elements");
  if (index < 0 || static_cast<std::size_t>(index) >= whole->elements.size())
    return out.add(at, str_cat({"there is no element ", *written}));
  const shape& element = whole->elements[static_cast<std::size_t>(index)];
  if (i.shape() && certainly_differ(element, *i.shape()))
    out.add(place, str_cat({"element ", index, " is ", to_string(element), ", not ", to_string(*i.shape())}));
}

/// Checks the shapes of an instruction.
inline void check_shapes(const hlo_instruction& i, std::uint32_t place, findings& out) {
  if (const elementwise_types types = types_of(i.opcode()); types != elementwise_types::none)
    return check_elementwise(i, types, place, out);
  switch (i.opcode()) {
    using enum hlo_opcode;
    case concatenate: return check_concatenate(i, place, out);
    case broadcast: return check_broadcast(i, place, out);
    case all_to_all: return check_all_to_all(i, place, out);
    case tuple: return check_tuple_elements(i, place, out);
    case get_tuple_element: return check_get_tuple_element(i, place, out);
    default: return;
  }
}

}  // namespace hlolint::module_rules
