// Instructions that are being read, with their operands, attributes and calls.
#pragma once

#include <hlolint/grammar/build/module_pools.hpp>
#include <hlolint/ir/module_data.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::build {

/// What the parentheses of an instruction hold.
enum class argument_kind : std::uint8_t { operands, number, literal };

/// An instruction that is being read. Nested operands make a stack of such instructions.
struct pending_instruction {
  instruction_record record;
  std::string_view name{};  ///< empty for a nested operand
  bool marked_root = false;
  std::string_view unknown_opcode{};  ///< to be reported if the instruction can be read
  std::size_t first_operand = 0, first_attribute = 0, first_call = 0;  ///< in the lists of pending_parts
};

/// The sizes of the lists of parts that are being read, when a part began that may fail.
struct pending_mark {
  std::size_t open = 0, pending = 0, operands = 0, attributes = 0, calls = 0, broken = 0, depth = 0;
};

/// What the lists and the pools held when an attribute began.
struct attribute_mark {
  std::uint32_t at = 0;  ///< where the attribute begins
  bool body_begun = false;
  pending_mark parts;
  pool_mark before_body;  ///< if a body has begun in it: before the first one
};

struct pending_parts {
  std::vector<pending_instruction> instructions;
  std::vector<operand_record> operands;      ///< of the instructions
  std::vector<attribute_record> attributes;  ///< of the instructions
  std::vector<named_call> calls;             ///< of the instructions

  attribute_mark before_attribute;  ///< of the innermost attribute that is being read

  void clear() {
    instructions.clear();
    operands.clear();
    attributes.clear();
    calls.clear();
  }
};

}  // namespace hlolint::build
