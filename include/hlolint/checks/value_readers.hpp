// The readers of a value, behind instructions that only give it another name or shape.
#pragma once

#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/values/dataflow.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace hlolint::detail {

/// The readers of one value in its computation.
struct value_readers {
  std::vector<hlo_instruction> list;  ///< in text order, each once
  /// The value is also in a tuple or in the computation's result, or has more readers than are followed.
  bool passed_on = false;
};

/// Follows bitcasts; looks at no more than 256 uses.
inline value_readers readers_of(hlo_instruction value, const users& all_users) {
  constexpr std::size_t most = 256;
  value_readers out;
  out.passed_on = value.is_root();
  std::size_t uses = 0;
  const bool whole = follow_uses(value, all_users, [&](instruction_use use) -> std::optional<hlo_instruction> {
    if (++uses >= most) return std::nullopt;
    if (use.user.opcode() == hlo_opcode::bitcast) {
      out.passed_on = out.passed_on || use.user.is_root();
      return use.user;
    }
    if (takes_no_time(use.user.opcode()))
      out.passed_on = true;
    else
      out.list.push_back(use.user);
    return hlo_instruction{};
  });
  out.passed_on = out.passed_on || !whole;
  const auto by_place = [](hlo_instruction a, hlo_instruction b) { return a.id() < b.id(); };
  std::stable_sort(out.list.begin(), out.list.end(), by_place);
  out.list.erase(std::unique(out.list.begin(), out.list.end()), out.list.end());
  return out;
}

/// The first instruction behind at most 64 bitcasts.
inline hlo_instruction behind_bitcasts(hlo_instruction i) {
  return follow_first_operands(i, [left = 64](hlo_instruction at) mutable {
    return at.opcode() == hlo_opcode::bitcast && at.operand_count() == 1 && left-- > 0;
  });
}

/// The instruction that made an operand, behind at most 64 bitcasts and elements of tuples.
inline hlo_instruction maker_of(hlo_instruction operand) {
  return follow_first_operands(operand, [left = 64](hlo_instruction at) mutable {
    return (at.opcode() == hlo_opcode::bitcast || at.opcode() == hlo_opcode::get_tuple_element) && left-- > 0;
  });
}

/// The loop that made a result while it reads a value as another part of its state, as a scan does with an array that
/// it takes as xs and returns as ys; empty if it is none.
inline hlo_instruction loop_with_both(const dataflow& flow, hlo_instruction result, std::size_t read) {
  result = follow_first_operands(result, [](auto i) { return i.opcode() == hlo_opcode::get_tuple_element; });
  if (!result || result.opcode() != hlo_opcode::while_) return {};
  const auto uses = flow.uses(flow.values()[read]);
  const bool reads = std::any_of(uses.begin(), uses.end(), [&](const hlo_use& u) { return u.user == result.id(); });
  return reads ? result : hlo_instruction{};
}

/// Whether each iteration of a loop writes a part of an element of its state in place, as a scan stacks a result; also
/// in a fusion, or on another stream of a GPU.
inline bool stacks(hlo_instruction loop, std::size_t element) {
  constexpr int deepest = 4;
  const hlo_instruction root = root_of(parts_of_while(loop).body);
  hlo_instruction made = root ? operand_of(root, element) : root;
  std::optional<std::size_t> part;
  for (int depth = 0; made && depth < deepest; ++depth) {
    if (const auto position = element_position(made)) part = position, made = operand_of(made, 0);
    if (made && is_done_opcode(made.opcode())) made = operand_of(made, 0);
    if (!made || (made.opcode() != hlo_opcode::fusion && made.opcode() != hlo_opcode::async_start)) break;
    made = root_of(first_called(made));
    if (part && made && made.opcode() == hlo_opcode::tuple) made = operand_of(made, *part);
  }
  return made && behind_bitcasts(made).opcode() == hlo_opcode::dynamic_update_slice;
}

}  // namespace hlolint::detail
