// The instruction that decides how a GPU fusion is compiled (assignment.md 8).
#pragma once

#include <hlolint/analysis/program/elementwise.hpp>
#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/same_layout.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>

namespace hlolint {

/// Heroes of the outputs of fusions. Refers to the tables.
class fusion_hero {
 public:
  /// Refers to the tables, which must outlive it.
  explicit fusion_hero(const module_tables& tables) : tables_(tables) {}

  /// Above an output: the one transpose that is worth tiles of its own, else the first instruction that is more than
  /// elementwise. `steps` is raised by the instructions looked at.
  hlo_instruction of(hlo_instruction output, std::size_t& steps) const {
    hlo_instruction last = output;
    for (; is_intermediate(last, 1) && last.operand(0).opcode() != hlo_opcode::parameter; ++steps) {
      if (last.operand(0).id() >= last.id()) return last;  // a circle, which no legal module has
      last = last.operand(0);
    }
    record_list<hlo_instruction> open{last};
    std::unordered_set<id> seen{last.id()};
    hlo_instruction found;
    for (std::size_t next = 0; next < open.size(); ++next, ++steps) {
      const hlo_instruction at = open[next];
      if (is_tiled_transpose(at)) {
        if (found) return last;
        found = at;
      } else if (is_intermediate(at, 3)) {
        for (const hlo_instruction operand : at.operands())
          if (operand.opcode() != hlo_opcode::parameter && seen.insert(operand.id()).second) open.push_back(operand);
      }
    }
    return found && leads_down_plainly(found, steps) ? found : last;
  }

 private:
  /// Elementwise or a bitcast, with no more than `most` operands, or a copy that changes no layout.
  bool is_intermediate(hlo_instruction i, std::size_t most) const {
    if (i.operand_count() < 1 || i.operand_count() > most) return false;
    for (const hlo_instruction operand : i.operands())
      if (!operand) return false;
    if (i.opcode() != hlo_opcode::copy) return is_elementwise(i.opcode()) || i.opcode() == hlo_opcode::bitcast;
    const shape *const to = part(i), *const from = part(i.operand(0));
    return to && from && same_with_layout(*to, *from);
  }
  const shape* part(hlo_instruction i) const { return tables_.places.part(i.id(), 0); }

  /// Whether only intermediate instructions and tuples follow.
  bool leads_down_plainly(hlo_instruction from, std::size_t& steps) const {
    record_list<hlo_instruction> open{from};
    std::unordered_set<id> seen;
    while (!open.empty()) {
      const hlo_instruction at = open.back();
      open.pop_back();
      for (const instruction_use use : tables_.all_users.of(at)) {
        ++steps;
        if (!seen.insert(use.user.id()).second) continue;
        if (use.user.opcode() != hlo_opcode::tuple && !is_intermediate(use.user, 3)) return false;
        open.push_back(use.user);
      }
    }
    return true;
  }

  bool is_tiled_transpose(hlo_instruction i) const {
    if (i.opcode() != hlo_opcode::transpose || i.operand_count() < 1 || !i.operand(0)) return false;
    const shape *const to = part(i), *const from = part(i.operand(0));
    const auto order = get_integers(i, attribute_key::dimensions);
    if (!to || !from || !order || !to->is_array() || to->rank() < 2 || from->rank() != to->rank() ||
        order->size() != to->rank())
      return false;
    const std::size_t last = to->rank() - 1;
    const std::int64_t a = from->dimensions[last].size, b = to->dimensions[last].size;
    if (order->back() != static_cast<std::int64_t>(last)) {
      const auto area = checked_multiply(a, b);
      return (a >= 16 && b >= 16) || (a >= 8 && b >= 8 && (!area || *area >= 8192));
    }
    const auto row = checked_multiply(b, std::max<std::int64_t>(1, byte_width(to->type)));
    const std::int64_t other = std::min(from->dimensions[last - 1].size, to->dimensions[last - 1].size);
    return row && *row <= 8 && checked_multiply(*row, other).value_or(16) >= 16;
  }

  const module_tables& tables_;
};

}  // namespace hlolint
