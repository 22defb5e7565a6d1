// Which values differ between devices that run the same program, because they come from a device's own number.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/callers_first.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint {

/// Conservative the other way: what is reported to depend certainly has a path from such a source. Sharded data differs
/// between devices too and is not followed. Results of collectives count as equal everywhere, and values that a while
/// loop or a branch gets as parameters as not known, thus equal.
class device_dependence {
 public:
  /// Linear in the module.
  explicit device_dependence(const hlo_module& module) : from_(module.instruction_count()) {
    record_list<record_list<std::uint8_t>> handed(
        module.computation_count());  // to the parameters of fusions and calls
    record_list<bool> has_source(module.computation_count());
    for (const instruction_record& record : module.data().instructions)
      if (source(record.opcode) != 0) has_source[record.computation] = true;
    for (const hlo_computation c : callers_first(module)) {
      if (!has_source[c.id()] && handed[c.id()].empty()) continue;  // most fusions: nothing in them depends
      for (const hlo_instruction i : c.instructions()) {
        std::uint8_t& own = from_[i.id()];
        own = source(i.opcode());
        if (i.opcode() == hlo_opcode::parameter && !handed[c.id()].empty()) {
          const std::int64_t number = i.parameter_number().value_or(-1);
          if (number >= 0 && static_cast<std::size_t>(number) < handed[c.id()].size())
            own = handed[c.id()][static_cast<std::size_t>(number)];
        }
        if (!stops(i.opcode()))
          for (const hlo_instruction operand : i.operands())
            if (operand) own = static_cast<std::uint8_t>(own | from_[operand.id()]);
        if (i.opcode() != hlo_opcode::fusion && i.opcode() != hlo_opcode::call) continue;
        for (const hlo_computation called : i.called_computations()) {
          if (!called) continue;
          auto& to = handed[called.id()];  // stays empty where nothing that depends is handed over
          for (std::size_t k = 0; k < i.operand_count(); ++k)
            if (const hlo_instruction operand = i.operand(k); operand && from_[operand.id()] != 0) {
              if (to.size() < i.operand_count()) to.resize(i.operand_count());
              to[k] = static_cast<std::uint8_t>(to[k] | from_[operand.id()]);
            }
        }
      }
    }
  }

  /// On partition-id or replica-id.
  bool on_device_id(hlo_instruction i) const { return (from_[i.id()] & device_id) != 0; }
  /// On these or on what each device gets from outside: infeed, recv.
  bool at_all(hlo_instruction i) const { return from_[i.id()] != 0; }

 private:
  static constexpr std::uint8_t device_id = 1, outside = 2;

  static constexpr std::uint8_t source(hlo_opcode opcode) {
    using enum hlo_opcode;
    if (opcode == partition_id || opcode == replica_id) return device_id;
    return opcode == infeed || opcode == recv ? outside : std::uint8_t{0};
  }
  static constexpr bool stops(hlo_opcode opcode) {
    using enum hlo_opcode;
    return is_collective(opcode) || opcode == while_ || opcode == conditional || is_async_opcode(opcode);
  }

  record_list<std::uint8_t> from_;  // by instruction
};

}  // namespace hlolint
