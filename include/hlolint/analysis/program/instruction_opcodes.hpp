// The opcodes of a module, one after the other.
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

namespace hlolint {

/// The opcode of every instruction by its id: a byte each, where the record of an instruction has 64. For those who
/// look at all instructions several times.
class instruction_opcodes {
 public:
  /// Linear in the module.
  explicit instruction_opcodes(const hlo_module& module) {
    opcodes_.reserve(module.instruction_count());
    for (const instruction_record& record : module.data().instructions) opcodes_.push_back(record.opcode);
  }
  /// Precondition: it is of this module.
  hlo_opcode of(hlo_instruction i) const { return opcodes_[i.id()]; }

 private:
  record_list<hlo_opcode> opcodes_;
};

}  // namespace hlolint
