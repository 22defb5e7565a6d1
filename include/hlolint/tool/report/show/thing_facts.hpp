// Facts about one thing of a module: its place, neighbors, cost and memory.
#pragma once

#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/tool/report/show/named_things.hpp>
#include <hlolint/tool/report/show/show_options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlolint::report {

/// An instruction as a line of a list.
struct listed_instruction {
  hlo_instruction instruction;  ///< itself
  std::size_t depth = 0;        ///< of operands and users: steps from the thing; in a body: enclosing fusions
  double us = 0;                ///< of all runs in a step; 0 if not asked for
};

/// Bytes of one value.
struct value_facts {
  std::string name;             ///< as the dump has it
  std::string shape;            ///< as the dump has it
  std::string kind;             ///< of the allocation
  std::int64_t allocation = 0;  ///< its number
  /// In the allocation. @{
  byte_count offset = 0, size = 0;
  /// @}
  std::optional<byte_count> padding{};   ///< bytes of padding, if that is known
  std::optional<position_range> life{};  ///< schedule positions, both inclusive
  std::vector<std::string> shares{};     ///< other values in its bytes, with their lives; no more than are shown
  std::size_t sharers = 0;               ///< how many there are
};

/// The cost of one instruction, or of several together.
struct cost_facts {
  double us = 0;          ///< of one run; 0 for several instructions
  double runs = 0;        ///< in a step
  double ms = 0;          ///< of all runs in a step, work and waiting
  double exposed_ms = 0;  ///< of these, waiting
  double share = 0;       ///< of the step
  /// Of one run, or of all runs of several instructions. @{
  double flops = 0, bytes = 0, transferred_bytes = 0;
  /// @}
  double of_peak = 0;    ///< of one instruction
  std::string bound;     ///< of one instruction
  std::string category;  ///< of one instruction
};

/// An instruction that runs at the same time.
struct beside_facts {
  std::string instruction;  ///< its name
  double us = 0;            ///< for so long
};

/// One thing.
struct thing_facts {
  named_thing thing;  ///< what was found
  /// Its module and file. @{
  std::string module, path;
  /// @}
  /// Of an instruction. @{
  std::string computation, opcode, shape, text;
  /// @}
  /// In the text of the module, 1-based; 0 = not in a text. @{
  std::size_t line = 0, column = 0;
  /// @}
  /// Of an instruction; `body` has the instructions that it fuses. @{
  std::vector<listed_instruction> body{}, operands{}, users{};
  /// @}
  std::vector<listed_instruction> callers{};       ///< of a computation, or of the one that an instruction is in
  std::vector<listed_instruction> instructions{};  ///< of a computation, a line or a weight, the costliest first
  /// How many are not listed. @{
  std::size_t more_body = 0, more_operands = 0, more_users = 0, more_instructions = 0;
  /// @}
  std::optional<std::size_t> position{};        ///< in the schedule of its computation, 0-based
  std::size_t positions = 0;                    ///< instructions of the computation
  std::optional<std::int64_t> dump_position{};  ///< in the schedule of the buffer dump
  /// The instructions around it in the schedule. @{
  std::string before, after;
  /// @}
  std::vector<beside_facts> beside{};  ///< longest first
  std::vector<value_facts> values{};   ///< values that it makes, holds or is
  std::size_t more_values = 0;         ///< that are not listed
  std::string memory_words;            ///< what the values are, if they were not dumped
  std::optional<cost_facts> cost{};    ///< none: see `no_cost`
  std::string no_cost;                 ///< why there is none
  std::string device;                  ///< that the times are for
  /// In words; empty if there is none. @{
  std::string sharding, source, scope, weight;
  std::string near;  ///< the place of a neighbor in the program, where there is neither source nor scope
  /// @}
  std::vector<const diagnostic*> findings{};  ///< on it
};

}  // namespace hlolint::report
