// The arrays that get storage at an instruction, rather than being passed on or written in place (buffer_dumps.md 5.1,
// 5.2).
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>

namespace hlolint {

namespace detail {

/// The part of the result in which an instruction owns arrays: `only` is the first step of its indices; nothing: all.
struct owned_part {
  bool any = true;
  std::optional<std::uint32_t> only;
};

inline owned_part owned_part_of(hlo_instruction i) {
  switch (i.opcode()) {
    using enum hlo_opcode;
    // clang-format off
    case add_dependency: case after_all: case bitcast: case call: case conditional: case domain: case get_tuple_element:
    case opt_barrier: case tuple: case while_:
    case all_gather_done: case all_reduce_done: case async_done: case collective_permute_done: case copy_done:
    case recv_done: case send: case send_done: case async_update:
    case all_reduce_start: case dynamic_update_slice: case ragged_all_to_all: case scatter: case set_dimension_size:
      // clang-format on
      return {false, {}};
    case parameter: return {i.computation().is_entry(), {}};
    case copy: return {i.shape() && !i.shape()->is_tuple(), {}};
    case copy_start:
    case recv: return {true, 0};
    case all_gather_start:
    case collective_permute_start:
    case async_start: return {true, 1};
    default: return {true, {}};
  }
}

/// Whether a leaf of a fusion's result is made by an instruction that writes into its operand.
inline bool made_in_place(hlo_instruction fused, const shape_index& leaf) {
  hlo_instruction at = root_of(first_called(fused));
  for (std::size_t step = 0; at && at.opcode() == hlo_opcode::tuple && step < leaf.size(); ++step)
    at = operand_of(at, leaf[step]);
  std::size_t steps = 0;
  at = follow_first_operands(at, [&](hlo_instruction i) {
    return steps++ < 64 && i.opcode() == hlo_opcode::bitcast && i.operand_count() == 1;
  });
  if (!at) return false;
  using enum hlo_opcode;
  return at.opcode() == dynamic_update_slice || at.opcode() == scatter || at.opcode() == parameter ||
         at.opcode() == set_dimension_size;
}

}  // namespace detail

/// Calls `f(index, array)` for every array of the result whose storage begins at this instruction, without arrays whose
/// aliasing cannot be decided from the instruction and its fused computation alone. Precondition: the computation is
/// sequential (call_graph.hpp); nothing inside fusions has storage.
void for_each_owned_array(hlo_instruction i, auto&& f) {
  const detail::owned_part part = detail::owned_part_of(i);
  if (!i.shape() || !part.any) return;
  std::set<shape_index> aliased;
  if (const auto aliases = get<output_to_operand_aliasing>(i))
    for (const operand_alias_entry& e : aliases->entries) aliased.insert(e.output);
  for_each_subshape(*i.shape(), [&](const shape_index& index, const shape& array) {
    if (!array.is_array() || (part.only && (index.empty() || index[0] != *part.only))) return;
    if (!aliased.empty()) {
      shape_index prefix;
      if (aliased.count(prefix) > 0) return;
      for (const std::uint32_t step : index) {
        prefix.push_back(step);
        if (aliased.count(prefix) > 0) return;
      }
    }
    if (i.opcode() == hlo_opcode::fusion && detail::made_in_place(i, index)) return;
    f(index, array);
  });
}

}  // namespace hlolint
