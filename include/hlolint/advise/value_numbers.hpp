// Whether another order of a module's instructions would change the numbers that XLA gives to values (assignment.md 1).
#pragma once

#include <hlolint/advise/instruction_order.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

namespace hlolint::advise {

/// XLA goes through a computation from the instructions without users, and through computations from what calls
/// them: where these keep their order, each value of a text in another order has the number that it has in the module.
/// Numbers decide between buffers that are equal in all else.
class value_numbers {
 public:
  /// Linear.
  explicit value_numbers(const module_tables& tables) {
    for (const hlo_instruction i : tables.module.instructions())
      decides_.push_back(tables.all_users.count(i) == 0 || calls_sequentially(i.opcode()) ||
                         i.opcode() == hlo_opcode::async_start);
  }
  /// Whether they stay the same. Linear.
  bool hold(const instruction_order& order) const {
    id last = 0;  // ids ascend in the text, computation after computation
    for (const id i : order.ids()) {
      if (!decides_[i]) continue;
      if (i < last) return false;
      last = i;
    }
    return true;
  }

 private:
  record_list<bool> decides_;  // by instruction
};

}  // namespace hlolint::advise
