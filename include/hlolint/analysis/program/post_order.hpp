// The orders in which XLA goes through instructions (buffer_dumps.md 4, "Value ids").
#pragma once

#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace hlolint {

/// All instructions, computation after computation in text order, each computation's in post order: depth first from
/// the instructions without users, first operand first, control predecessors before operands, the last of them first.
/// The instructions of a computation fill the same positions as in the module; those of a computation that is not
/// `wanted` (by computation) are `none`.
inline record_list<id> post_order(const module_tables& tables, const record_list<bool>& wanted) {
  record_list<id> out, open;
  out.reserve(tables.module.instruction_count());
  enum class state : std::uint8_t { unseen, entered, done };
  record_list<state> states(tables.module.instruction_count(), state::unseen);
  std::unordered_map<std::string_view, id> named;  // of the computation at hand, made where it is needed
  for (const hlo_computation c : tables.module.computations()) {
    if (!wanted[c.id()]) continue;
    const id_range own = c.record().instructions;
    out.resize(own.first, none);
    named.clear();
    const auto find = [&](std::string_view name) {
      if (named.empty())
        for (const hlo_instruction i : c.instructions()) named.emplace(i.name(), i.id());
      const auto found = named.find(name);
      return found == named.end() ? none : found->second;
    };
    for (const hlo_instruction from : c.instructions()) {
      if (tables.all_users.count(from) > 0) continue;
      open.push_back(from.id());
      while (!open.empty()) {
        const hlo_instruction i = tables.module.instruction(open.back());
        if (states[i.id()] != state::unseen) {
          open.pop_back();
          if (std::exchange(states[i.id()], state::done) != state::done) out.push_back(i.id());
          continue;
        }
        states[i.id()] = state::entered;
        for (std::size_t k = i.operand_count(); k-- > 0;)
          if (const hlo_instruction operand = i.operand(k); operand && states[operand.id()] != state::done)
            open.push_back(operand.id());
        if (const auto predecessors = get<control_predecessors>(i))
          for (const std::string_view name : predecessors->names)
            if (const id before = find(name); before != none && states[before] != state::done) open.push_back(before);
      }
    }
    if (out.size() < own.first + own.count)  // a circle of operands, which no legal module has
      for (const hlo_instruction i : c.instructions())
        if (states[i.id()] != state::done) out.push_back(i.id());
  }
  out.resize(tables.module.instruction_count(), none);
  return out;
}

/// Of all computations.
inline record_list<id> post_order(const module_tables& tables) {
  return post_order(tables, record_list<bool>(tables.module.computation_count(), true));
}

/// Rank of every instruction in a post order that goes into called computations before their callers; 0 for those that
/// are not reached from the entry. `order` is the module's `post_order`.
inline record_list<std::uint32_t> called_first_ranks(const module_tables& tables, const record_list<id>& order) {
  record_list<std::uint32_t> ranks(tables.module.instruction_count());
  record_list<bool> entered(tables.module.computation_count());
  struct frame {
    id at = 0, last = 0;      // positions in `order`
    std::size_t call = 0;     // the next computation called there
  };
  record_list<frame> open;
  const auto enter = [&](hlo_computation c) {
    if (!c || entered[c.id()]) return;
    entered[c.id()] = true;
    const id_range range = c.record().instructions;
    open.push_back({range.first, range.first + range.count, 0});
  };
  std::uint32_t next = 0;
  enter(tables.module.entry());
  while (!open.empty()) {
    frame& f = open.back();
    if (f.at == f.last) {
      open.pop_back();
      continue;
    }
    const hlo_instruction i = tables.module.instruction(order[f.at]);
    const std::size_t call = f.call++;
    if (i.opcode() == hlo_opcode::while_ && call < 2) {
      const while_parts parts = parts_of_while(i);
      enter(call == 0 ? parts.condition : parts.body);
    } else if ((calls_sequentially(i.opcode()) || i.opcode() == hlo_opcode::async_start) &&
               i.opcode() != hlo_opcode::while_ && call < i.called_computation_count()) {
      enter(i.called_computation(call));
    } else {
      ranks[i.id()] = next++;
      ++f.at;
      f.call = 0;
    }
  }
  return ranks;
}

}  // namespace hlolint
