// The operation that an instruction performs, alone or as the only one in a fusion.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>

#include <vector>

namespace hlolint {

/// The only instruction of a computation that takes time; an empty view if several or none do.
inline hlo_instruction sole_operation_in(hlo_computation body) {
  hlo_instruction found;
  for (const hlo_instruction inside : body.instructions()) {
    if (takes_no_time(inside.opcode())) continue;
    if (found) return {};
    found = inside;
  }
  return found;
}

/// What does the work of an instruction of a module: for a fusion the only instruction inside that takes time, for any
/// other the instruction itself.
class sole_operations {
 public:
  /// Linear in the module.
  explicit sole_operations(const hlo_module& module) {
    found_.reserve(module.computation_count());
    for (const hlo_computation c : module.computations()) found_.push_back(sole_operation_in(c));
  }
  /// The instruction that does the work of `i`; an empty view for a fusion if several instructions inside do, or none.
  hlo_instruction of(hlo_instruction i) const {
    if (i.opcode() != hlo_opcode::fusion) return i;
    const hlo_computation body = first_called(i);
    return body ? found_[body.id()] : hlo_instruction{};
  }

 private:
  std::vector<hlo_instruction> found_;  // by computation
};

}  // namespace hlolint
