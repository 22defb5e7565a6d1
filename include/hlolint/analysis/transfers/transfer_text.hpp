// How messages name a transfer and its place in the schedule.
#pragma once

#include <hlolint/analysis/program/written_instruction.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>

#include <cstddef>
#include <string>

namespace hlolint::detail {

/// `all-gather of 112.00MiB`
inline std::string transfer_text(hlo_opcode kind, const optional<byte_count>& bytes) {
  return std::string(name_of(kind)) + (bytes ? " of " + human(*bytes) : std::string{});
}

/// `position 7 of 81 in main`, counted from 0: the schedule of one computation. Of the written instruction, where `i`
/// is one that async sugar implies.
inline std::string position_text(hlo_instruction i) {
  i = written_instruction(i);
  const hlo_computation in = i.computation();
  return "position " + std::to_string(i.index_in_computation()) + " of " + std::to_string(in.instruction_count()) +
         " in " + std::string(in.name());
}

}  // namespace hlolint::detail
