// A computation and an instruction that are being read.
#pragma once

#include <hlolint/grammar/build/name_map.hpp>
#include <hlolint/grammar/build/open_instructions.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace hlolint::build {

/// What stands in the parentheses of an instruction.
enum class argument_kind : std::uint8_t { operands, number, literal };

/// An instruction that is being read. Nested operands make a stack of them.
struct pending_instruction {
  instruction_record record;
  std::string_view name{};  ///< empty for a nested operand
  bool marked_root = false;
  std::string_view unknown_opcode{};                                   ///< is reported if the instruction can be read
  std::size_t first_operand = 0, first_attribute = 0, first_call = 0;  ///< on the stacks of the builder
};

/// The computation that async sugar stands for: made when the computation around it is complete, because updates may
/// still bring operands.
struct implied_computation {
  id start = none;  ///< local number of the async-start
  record_list<id> parameter_shapes;
  id_range root_calls;  ///< of the wrapped instruction
  id result_shape = none;
};

/// A computation that is being read. Instructions have local numbers until it is complete.
struct open_computation {
  explicit open_computation(std::string_view text) : names(text) {}

  computation_record record;
  std::string_view name, signature;  ///< of the head, as the next two
  id declared_result = none;
  bool entry = false;
  std::uint32_t begin = 0;
  open_instructions instructions;
  record_list<implied_computation> implied;
  std::unordered_map<std::uint64_t, id> elements;  ///< `%a#1`: (a, 1) and its get-tuple-element
  record_list<std::uint64_t> element_keys;         ///< in the order of their instructions
  record_list<name_fault> faults;                  ///< with local numbers
  std::unordered_set<std::string_view> undefined;  ///< names already noted as faults, or lost
  struct predecessor {
    std::string_view name;
    id instruction = none;
  };
  record_list<predecessor> predecessors;  ///< control predecessors that come later in the text, if at all
  name_map names;
  id marked_root = none;
  bool lost_names = false;  ///< after an instruction whose name could not be read: unknown names prove nothing
  bool single = false;      ///< one instruction alone: unknown operands become parameters

  /// Forgets everything but the memory. The outermost one fills the pool.
  void open(std::uint32_t at, record_list<instruction_record>& pool, bool outermost) {
    record = {};
    name = signature = {};
    declared_result = none;
    entry = false;
    begin = at;
    instructions.open(pool, !outermost);
    implied.clear();
    elements.clear();
    element_keys.clear();
    faults.clear();
    if (!undefined.empty()) undefined = {};
    predecessors.clear();
    names.clear(at);
    marked_root = none;
    lost_names = single = false;
  }
  /// Files the last instruction under its name, which stands at that place.
  void name_last(std::string_view its_name, span at, std::uint64_t hash) {
    const id local = static_cast<id>(instructions.size()) - 1;
    instruction_record& i = instructions.back();
    i.odd_name = its_name.starts_with('_') || hlolint::detail::may_be_element_type(its_name);
    if (const id other = names.insert(its_name, local, hash); other != none)
      faults.push_back({name_fault::kind::second_instruction, at, none, local, other, 0});
    if (i.root && marked_root == none) marked_root = local;
  }
  /// How far it was when an instruction began.
  struct mark {
    std::size_t instructions = 0, faults = 0, predecessors = 0;
  };
  mark here() const { return {instructions.size(), faults.size(), predecessors.size()}; }
  /// Forgets the instructions from there on, and what was noted about them.
  void take_back(const mark& to) {
    instructions.resize(to.instructions);
    faults.resize(to.faults);
    predecessors.resize(to.predecessors);
    while (!implied.empty() && implied.back().start >= to.instructions) implied.pop_back();
    for (; !element_keys.empty() && elements[element_keys.back()] >= to.instructions; element_keys.pop_back())
      elements.erase(element_keys.back());
    if (marked_root != none && marked_root >= to.instructions) marked_root = none;
  }
};

}  // namespace hlolint::build
