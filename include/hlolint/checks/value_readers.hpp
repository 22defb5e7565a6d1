// The readers of a value, behind instructions that only give it another name or shape.
#pragma once

#include <hlolint/checks/program_code.hpp>

namespace hlolint::detail {

/// The readers of one value in its computation.
struct value_readers {
  record_list<hlo_instruction> list;  ///< in text order, each once
  /// The value is also in a tuple or in the computation's result, or has more readers than are followed.
  bool passed_on = false;
};

/// Follows bitcasts; looks at no more than 256 uses.
inline value_readers readers_of(hlo_instruction value, const users& all_users) {
  constexpr std::size_t most = 256;
  value_readers out;
  record_list<hlo_instruction> open{value};
  for (std::size_t next = 0; next < open.size(); ++next) {
    out.passed_on = out.passed_on || open[next].is_root();
    for (const instruction_use use : all_users.of(open[next])) {
      if (open.size() + out.list.size() >= most) {
        out.passed_on = true;
        break;
      }
      if (use.user.id() <= open[next].id()) continue;
      if (use.user.opcode() == hlo_opcode::bitcast) open.push_back(use.user);
      else if (takes_no_time(use.user.opcode())) out.passed_on = true;
      else out.list.push_back(use.user);
    }
  }
  const auto by_place = [](hlo_instruction a, hlo_instruction b) { return a.id() < b.id(); };
  sort_records(out.list, by_place);
  out.list.erase(std::unique(out.list.begin(), out.list.end()), out.list.end());
  return out;
}

/// The first instruction behind bitcasts.
inline hlo_instruction behind_bitcasts(hlo_instruction i) {
  constexpr int farthest = 64;
  for (int hops = 0; i && i.opcode() == hlo_opcode::bitcast && hops < farthest; ++hops) {
    if (i.operand_count() != 1 || !i.operand(0) || i.operand(0).id() >= i.id()) break;
    i = i.operand(0);
  }
  return i;
}

/// The instruction that made an operand, behind bitcasts and elements of tuples.
inline hlo_instruction maker_of(hlo_instruction operand) {
  constexpr int farthest = 64;
  for (int hops = 0; operand && hops < farthest; ++hops) {
    const bool renames = operand.opcode() == hlo_opcode::bitcast || operand.opcode() == hlo_opcode::get_tuple_element;
    if (!renames || operand.operand_count() == 0 || !operand.operand(0) || operand.operand(0).id() >= operand.id())
      break;
    operand = operand.operand(0);
  }
  return operand;
}

}  // namespace hlolint::detail
