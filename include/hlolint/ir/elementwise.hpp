// What operations do to the elements of arrays: keep them, or compute each from the elements at the same position
// (buffer_dumps.md 5.3).
#pragma once

#include <hlolint/ir/opcode.hpp>

namespace hlolint {

/// Whether the result has the operand's elements with their values, possibly at other positions.
constexpr bool keeps_elements(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == bitcast || opcode == copy || opcode == reshape || opcode == transpose;
}

/// XLA's `IsElementwise`, as far as the opcode decides it; bitcast-convert only with equal widths.
constexpr bool is_elementwise(hlo_opcode opcode) {
  using enum hlo_opcode;
  // clang-format off
  constexpr opcode_set elementwise{
    abs, acos, acosh, add, and_, asin, asinh, atan2, atanh, bitcast_convert, cbrt, ceil, clamp, compare, complex,
    constant, convert, copy, cosh, cosine, count_leading_zeros, divide, erf, exp2, exponential, exponential_minus_one,
    floor, imag, is_finite, log, log2, log_plus_one, logistic, map, maximum, minimum, mulhi, multiply, negate, not_,
    or_, popcnt, power, real, reduce_precision, remainder, rng, round_nearest_afz, round_nearest_even, rsqrt, select,
    shift_left, shift_right_arithmetic, shift_right_logical, sign, sine, sinh, sqrt, stochastic_convert, subtract, tan,
    tanh, xor_};
  // clang-format on
  return elementwise.has(opcode);
}

/// Whether the operation is elementwise and the result has the element type of the last operand.
constexpr bool keeps_element_type(hlo_opcode opcode) {
  using enum hlo_opcode;
  constexpr opcode_set others{bitcast_convert, compare, complex, constant, convert,           imag,
                              is_finite,       map,     real,    rng,      stochastic_convert};
  return is_elementwise(opcode) && !others.has(opcode);
}

}  // namespace hlolint
