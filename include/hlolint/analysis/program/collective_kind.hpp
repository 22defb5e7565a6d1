// What two collectives have in common, however each is written.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>

namespace hlolint {

/// The synchronous opcode of a collective or of its start; other opcodes as they are.
constexpr hlo_opcode collective_kind(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case all_gather_start:
      return all_gather;
    case all_reduce_start:
      return all_reduce;
    case collective_permute_start:
      return collective_permute;
    default:
      return opcode;
  }
}

/// What transfers: a collective or its start itself, of an async-start the collective that it wraps as root. An empty
/// view for other instructions.
inline hlo_instruction collective_of(hlo_instruction i) {
  if (is_collective(i.opcode())) return i;
  const hlo_computation wrapped = i.opcode() == hlo_opcode::async_start ? first_called(i) : hlo_computation{};
  return wrapped && wrapped.root() && is_synchronous_collective(wrapped.root().opcode()) ? wrapped.root()
                                                                                         : hlo_instruction{};
}

/// Bytes of the bigger side of a collective or of any start, without padding.
inline optional<byte_count> collective_bytes(hlo_instruction i) {
  return is_start_opcode(i.opcode()) ? started_bytes(i) : transfer_bytes(i);
}

}  // namespace hlolint
