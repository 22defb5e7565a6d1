// Whether a value is only used element by element, fusions looked into (buffer_dumps.md 5.3).
#pragma once

#include <hlolint/analysis/elementwise.hpp>
#include <hlolint/analysis/module_tables.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <optional>
#include <unordered_set>
#include <vector>

namespace hlolint {

/// Answers about the instructions of one module. Refers to the tables.
class elementwise_paths {
 public:
  explicit elementwise_paths(const module_tables& tables) : tables_(tables) {}

  /// Whether i computes each element from the element of operand k at the same place. A loop fusion does if all between
  /// that parameter and the root does.
  bool is_elementwise_on(hlo_instruction i, std::size_t k) const {
    if (i.opcode() != hlo_opcode::fusion) return is_plainly(i, k);
    const hlo_instruction p = loop_parameter(i, k);
    return p && all_elementwise(p, std::nullopt);
  }
  /// Whether all uses of a fusion's parameter are, transitively; tuples pass on.
  bool is_used_elementwise(hlo_instruction parameter) const {
    return all_elementwise(parameter, parameter.computation().id());
  }

 private:
  bool is_plainly(hlo_instruction i, std::size_t k) const {
    if (i.opcode() == hlo_opcode::dynamic_update_slice) return k == 0;
    if (i.opcode() != hlo_opcode::bitcast_convert) return is_elementwise(i.opcode());
    const shape *const to = tables_.places.part(i.id(), 0),
                *const from = i.operand(0) ? tables_.places.part(i.operand(0).id(), 0) : nullptr;
    return to && from && bit_width(to->type) == bit_width(from->type);
  }
  hlo_instruction loop_parameter(hlo_instruction fusion, std::size_t k) const {
    const hlo_computation body = first_called(fusion);
    return body && fusion.attribute(attribute_key::kind) == "kLoop" ? tables_.parameters.of(body, k)
                                                                    : hlo_instruction{};
  }

  /// `passing`: the computation in which tuples pass their elements on; elsewhere a tuple has to be the root.
  bool all_elementwise(hlo_instruction from, std::optional<id> passing) const {
    std::vector<hlo_instruction> open{from};
    std::unordered_set<id> seen{from.id()};
    const auto visit = [&](hlo_instruction i) {
      if (seen.insert(i.id()).second) open.push_back(i);
    };
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      for (const instruction_use use : tables_.all_users.of(at)) {
        if (use.user.opcode() == hlo_opcode::tuple && use.user.computation().id() != passing) {
          if (use.user.is_root()) continue;
          return false;
        }
        if (use.user.opcode() == hlo_opcode::fusion) {
          const hlo_instruction inside = loop_parameter(use.user, use.operand);
          if (!inside) return false;
          visit(inside);
        } else if (use.user.opcode() != hlo_opcode::tuple && !is_plainly(use.user, use.operand)) {
          return false;
        }
        visit(use.user);
      }
    }
    return true;
  }

  const module_tables& tables_;
};

}  // namespace hlolint
