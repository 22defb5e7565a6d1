// Whether a value is only used elementwise, also inside fusions (buffer_dumps.md 5.3).
#pragma once

#include <hlolint/ir/elementwise.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlolint {

/// Answers questions about elementwise use in one module. Facts are computed for all instructions on first use, so one
/// thread uses one object.
class elementwise_paths {
 public:
  /// Refers to the tables, which must outlive it.
  explicit elementwise_paths(const module_tables& tables) : tables_(tables) {}

  /// Whether i computes each element from the element of operand k at the same position. A loop fusion does if
  /// everything between that parameter and the root does.
  bool is_elementwise_on(hlo_instruction i, std::size_t k) const {
    if (i.opcode() != hlo_opcode::fusion) return is_plainly(i, k);
    const hlo_instruction p = loop_parameter(i, k);
    return p && !used_otherwise(tuples::end_the_way)[p.id()];
  }
  /// Whether all transitive uses of a fusion's parameter, through tuples, are elementwise.
  bool is_used_elementwise(hlo_instruction parameter) const { return !used_otherwise(tuples::pass_on)[parameter.id()]; }

 private:
  /// How a path treats a tuple. Where it ends the path, it must be the root. In nested fusions it always ends the path.
  enum class tuples : std::uint8_t { end_the_way, pass_on };

  bool is_plainly(hlo_instruction i, std::size_t k) const {
    if (i.opcode() == hlo_opcode::dynamic_update_slice) return k == 0;
    if (i.opcode() != hlo_opcode::bitcast_convert) return is_elementwise(i.opcode());
    const shape *const to = tables_.places.part(i.id(), 0), *const from =
                                                                i.operand(0) ? tables_.places.part(i.operand(0).id(), 0)
                                                                             : nullptr;
    return to && from && bit_width(to->type) == bit_width(from->type);
  }
  static bool is_of_cpu_library(hlo_instruction fusion) {
    const auto kind = config_value(fusion, "fusion_config", "kind");
    return kind && (kind->starts_with("__ynn_") || kind->starts_with("__xnn_") || kind->starts_with("__onednn_"));
  }
  /// The parameter of a loop fusion, or of one of XLA:CPU's libraries, which work in place too where every path allows
  /// it.
  hlo_instruction loop_parameter(hlo_instruction fusion, std::size_t k) const {
    const auto kind = fusion.attribute(attribute_key::kind);
    return kind == "kLoop" || (kind == "kCustom" && is_of_cpu_library(fusion))
               ? tables_.parameters.of(first_called(fusion), k)
               : hlo_instruction{};
  }

  /// By instruction: whether some use of it, or of a value made from it, is not elementwise.
  const std::vector<bool>& used_otherwise(tuples how) const {
    std::vector<bool>& out = used_otherwise_[static_cast<std::size_t>(how)];
    if (out.size() == tables_.module.instruction_count()) return out;
    const std::vector<bool>* const inside = how == tuples::pass_on ? &used_otherwise(tuples::end_the_way) : nullptr;
    out.resize(tables_.module.instruction_count());
    std::vector<id> open;
    const auto mark = [&](id i) {
      if (out[i]) return;
      out[i] = true;
      open.push_back(i);
    };
    for (const hlo_instruction user : tables_.module.instructions())
      for (std::size_t k = 0; k < user.operand_count(); ++k)
        if (const hlo_instruction operand = user.operand(k); operand && breaks(user, k, how, inside))
          mark(operand.id());
    // Backwards, from values used otherwise to their operands.
    while (!open.empty()) {
      const hlo_instruction i = tables_.module.instruction(open.back());
      open.pop_back();
      if (i.opcode() != hlo_opcode::tuple || how == tuples::pass_on)
        for (const hlo_instruction operand : i.operands())
          if (operand) mark(operand.id());
      if (inside || i.opcode() != hlo_opcode::parameter) continue;
      const auto number = parameter_position(i);
      if (!number || !(tables_.parameters.of(i.computation(), *number) == i)) continue;
      for (const hlo_instruction caller : tables_.calls.callers(i.computation()))
        if (const hlo_instruction operand = operand_of(caller, *number))
          if (caller.opcode() == hlo_opcode::fusion && loop_parameter(caller, *number) == i) mark(operand.id());
    }
    return out;
  }
  /// Whether a use is not elementwise, as far as the user alone decides it. `inside`: the facts of nested parameters.
  bool breaks(hlo_instruction user, std::size_t k, tuples how, const std::vector<bool>* inside) const {
    if (user.opcode() == hlo_opcode::tuple) return how == tuples::end_the_way && !user.is_root();
    if (user.opcode() != hlo_opcode::fusion) return !is_plainly(user, k);
    const hlo_instruction p = loop_parameter(user, k);
    return !p || (inside && (*inside)[p.id()]);
  }

  const module_tables& tables_;
  mutable std::array<std::vector<bool>, 2> used_otherwise_;  // by `tuples`
};

}  // namespace hlolint
