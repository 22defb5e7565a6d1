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
  switch (opcode) {
    using enum hlo_opcode;
    // clang-format off
    case abs: case acos: case acosh: case add: case and_: case asin: case asinh: case atan2: case atanh:
    case bitcast_convert: case cbrt: case ceil: case clamp: case compare: case complex: case constant: case convert:
    case copy: case cosh: case cosine: case count_leading_zeros: case divide: case erf: case exp2: case exponential:
    case exponential_minus_one: case floor: case imag: case is_finite: case log: case log2: case log_plus_one:
    case logistic: case map: case maximum: case minimum: case mulhi: case multiply: case negate: case not_: case or_:
    case popcnt: case power: case real: case reduce_precision: case remainder: case rng: case round_nearest_afz:
    case round_nearest_even: case rsqrt: case select: case shift_left: case shift_right_arithmetic:
    case shift_right_logical: case sign: case sine: case sinh: case sqrt: case stochastic_convert: case subtract:
    case tan: case tanh: case xor_:
      // clang-format on
      return true;
    default: return false;
  }
}

/// Whether the operation is elementwise and the result has the element type of the last operand.
constexpr bool keeps_element_type(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case bitcast_convert:
    case compare:
    case complex:
    case constant:
    case convert:
    case imag:
    case is_finite:
    case map:
    case real:
    case rng:
    case stochastic_convert: return false;
    default: return is_elementwise(opcode);
  }
}

}  // namespace hlolint
