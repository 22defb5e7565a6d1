// Parts of instructions that a text may leave out.
#pragma once

#include <hlolint/ir/module.hpp>

#include <cstddef>

namespace hlolint {

/// The shape of an operand: its own, else the one written before its name; null if the text has neither, or no such
/// operand.
inline const shape* shape_of_operand(hlo_instruction i, std::size_t at) {
  if (at >= i.operand_count()) return nullptr;
  const hlo_instruction from = i.operand(at);
  return from && from.shape() ? from.shape() : i.operand_shape(at);
}

/// The computation that an instruction fuses, wraps or calls first; an empty view if there is none, or the text lacks
/// it.
inline hlo_computation first_called(hlo_instruction i) {
  return i.called_computation_count() > 0 ? i.called_computation(0) : hlo_computation{};
}

/// Whether a result has all elements of the operand, each with its value: only their places change.
constexpr bool keeps_elements(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == bitcast || opcode == copy || opcode == reshape || opcode == transpose;
}

}  // namespace hlolint
