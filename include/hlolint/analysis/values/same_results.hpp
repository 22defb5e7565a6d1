// Whether two instructions of one computation certainly have equal results, since they compute them alike.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// Compares operations, attributes and operands backwards from two instructions, ignoring names, metadata, channels,
/// the order of attributes, layouts and copies. False if uncertain: for constants omitted in the text (`{...}`),
/// effects, and after `most_steps`.
class same_results {
 public:
  /// The most pairs of instructions compared.
  static constexpr std::size_t most_steps = 512;

  /// Whether the results are equal. Precondition: both are of one computation.
  static bool of(hlo_instruction a, hlo_instruction b) {
    std::size_t steps = 0;
    return equal(a, b, steps);
  }

  /// Whether attributes and called computations are equal, except `replica_groups` and attributes that affect no
  /// result.
  static bool same_meaning(hlo_instruction a, hlo_instruction b) {
    std::size_t steps = 0;
    return alike_but_operands(a, b, steps);
  }

 private:
  static bool equal(hlo_instruction a, hlo_instruction b, std::size_t& steps) {
    std::vector<std::pair<hlo_instruction, hlo_instruction>> open{{a, b}}, seen;
    while (!open.empty()) {
      auto [x, y] = open.back();
      open.pop_back();
      x = without_copies(x), y = without_copies(y);
      if (!x || !y) return false;
      if (x == y) continue;
      if (std::find(seen.begin(), seen.end(), std::pair{x, y}) != seen.end()) continue;
      if (seen.size() == 64 || !alike(x, y, steps)) return false;
      seen.emplace_back(x, y);
      for (std::size_t k = 0; k < x.operand_count(); ++k) open.emplace_back(x.operand(k), y.operand(k));
    }
    return true;
  }

  static hlo_instruction without_copies(hlo_instruction i) {
    return follow_first_operands(
        i, [](hlo_instruction at) { return at.opcode() == hlo_opcode::copy && at.operand_count() == 1; });
  }

  static bool alike(hlo_instruction x, hlo_instruction y, std::size_t& steps) {
    if (++steps > most_steps || x.opcode() != y.opcode() || !loop_invariants::repeatable(x) ||
        x.operand_count() != y.operand_count() || !same_shape(x.shape(), y.shape()))
      return false;
    if (x.opcode() == hlo_opcode::constant &&
        (x.argument() != y.argument() || x.argument().find("...") != std::string_view::npos))
      return false;
    // The result of a bitcast depends on the order in memory.
    if (x.opcode() == hlo_opcode::bitcast) {
      const shape *const from = shape_of_operand(x, 0), *const other = shape_of_operand(y, 0);
      if (!from || !other || !(*from == *other) || !(*x.shape() == *y.shape())) return false;
    }
    if (is_collective(x.opcode()) &&
        x.attribute(attribute_key::replica_groups) != y.attribute(attribute_key::replica_groups))
      return false;
    return alike_but_operands(x, y, steps);
  }

  static bool alike_but_operands(hlo_instruction x, hlo_instruction y, std::size_t& steps) {
    if (!same_attributes(x, y) || !same_attributes(y, x)) return false;
    // The short form `%x#1` has an index that is no attribute of the text.
    if (x.attribute(attribute_key::index) != y.attribute(attribute_key::index)) return false;
    if (x.called_computation_count() != y.called_computation_count()) return false;
    for (std::size_t c = 0; c < x.called_computation_count(); ++c)
      if (!same_body(x.called_computation(c), y.called_computation(c), steps)) return false;
    return true;
  }

  static bool same_shape(const shape* a, const shape* b) {
    if (!a || !b) return false;
    if (a->is_tuple() || b->is_tuple()) return *a == *b;
    return a->type == b->type && a->dimensions == b->dimensions;
  }

  /// Whether `y` has the attributes of `x`, except those that affect no result.
  static bool same_attributes(hlo_instruction x, hlo_instruction y) {
    for (const hlo_attribute a : x.attributes()) {
      using enum attribute_key;
      const bool ignored = a.key == metadata || a.key == channel_id || a.key == backend_config ||
                           a.key == frontend_attributes || a.key == sharding || a.key == control_predecessors ||
                           a.key == calls || a.key == to_apply || a.key == replica_groups;  // has several notations
      if (!ignored && y.attribute(a.key) != a.value) return false;
    }
    return true;
  }

  /// Whether two bodies have equal instructions in the same order.
  static bool same_body(hlo_computation a, hlo_computation b, std::size_t& steps) {
    if (!a || !b) return false;
    if (a == b) return true;
    if (a.instruction_count() != b.instruction_count() || !a.root() || !b.root() ||
        a.root().index_in_computation() != b.root().index_in_computation())
      return false;
    for (std::size_t at = 0; at < a.instruction_count(); ++at) {
      const hlo_instruction x = a.instruction(at), y = b.instruction(at);
      if (x.opcode() == hlo_opcode::parameter) {
        if (++steps > most_steps || y.opcode() != x.opcode() || x.parameter_number() != y.parameter_number())
          return false;
        continue;
      }
      if (x.called_computation_count() > 0 || !alike(x, y, steps)) return false;
      for (std::size_t k = 0; k < x.operand_count(); ++k)
        if (!x.operand(k) || !y.operand(k) ||
            x.operand(k).index_in_computation() != y.operand(k).index_in_computation())
          return false;
    }
    return true;
  }
};

}  // namespace hlolint
