// All that is known of one thing of a module: where it stands, what is around it, what it costs, where it lies.
#pragma once

#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/report/show/named_things.hpp>
#include <hlolint/report/show/show_options.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::report {

/// An instruction as a line of a list.
struct listed_instruction {
  hlo_instruction instruction;  ///< itself
  std::size_t depth = 0;        ///< of an operand or a user: steps from the thing; in a body: fusions around it
  double us = 0;                ///< of all runs in a step; 0 if that is not asked for
};

/// Bytes of one value.
struct value_facts {
  std::string name;                      ///< as the dump has it
  std::string shape;                     ///< as the dump has it
  std::string kind;                      ///< of the allocation
  std::int64_t allocation = 0;           ///< its number
  byte_count offset = 0, size = 0;       ///< in the allocation
  std::optional<byte_count> padding{};   ///< bytes of padding, if that is known
  std::optional<position_range> life{};  ///< schedule positions, both inclusive
  std::vector<std::string> shares{};     ///< other values in its bytes, with their lives; no more than are shown
  std::size_t sharers = 0;               ///< how many there are
};

/// What the thing costs: of one instruction, or of several together.
struct cost_facts {
  double us = 0;                                       ///< of one run; 0 for several instructions
  double runs = 0;                                     ///< in a step
  double ms = 0;                                       ///< of all runs in a step, work and waiting
  double exposed_ms = 0;                               ///< of these, waiting
  double share = 0;                                    ///< of the step
  double flops = 0, bytes = 0, transferred_bytes = 0;  ///< of one run, or of all runs of several instructions
  double of_peak = 0;                                  ///< of one instruction
  std::string bound;                                   ///< of one instruction
  std::string category;                                ///< of one instruction
};

/// What runs at the same time.
struct beside_facts {
  std::string instruction;  ///< its name
  double us = 0;            ///< for so long
};

/// One thing.
struct thing_facts {
  named_thing thing;                             ///< what was found
  std::string module, path;                      ///< where
  std::string computation, opcode, shape, text;  ///< of an instruction
  std::size_t line = 0, column = 0;              ///< in the text of the module, 1-based; 0 = it stands in none
  std::vector<listed_instruction> body{}, operands{}, users{};  ///< of an instruction; `body` of what it fuses
  std::vector<listed_instruction> callers{};       ///< of a computation, or of the one that an instruction is in
  std::vector<listed_instruction> instructions{};  ///< of a computation, a line or a weight, the costliest first
  std::size_t more_body = 0, more_operands = 0, more_users = 0, more_instructions = 0;  ///< that are not listed
  std::optional<std::size_t> position{};        ///< in the schedule of its computation, 0-based
  std::size_t positions = 0;                    ///< instructions of the computation
  std::optional<std::int64_t> dump_position{};  ///< in the schedule of the buffer dump
  std::string before, after;                    ///< the instructions around it in the schedule
  std::vector<beside_facts> beside{};           ///< longest first
  std::vector<value_facts> values{};
  std::size_t more_values = 0;
  std::string memory_words;  ///< what the values are, if they were not dumped
  std::optional<cost_facts> cost{};
  std::string no_cost;  ///< why there is none
  std::string device;   ///< that the times are for
  std::string sharding, source, scope, weight;
  std::vector<const diagnostic*> findings{};  ///< on it
};

}  // namespace hlolint::report
