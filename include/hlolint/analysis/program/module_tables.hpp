// Tables that the analyses of values share, and XLA's orders of instructions (buffer_dumps.md 4, "Value ids").
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/async_chains.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

/// The tables that nearly every analysis of a module needs.
struct module_tables {
  /// Linear in the module, up to logarithms.
  explicit module_tables(const hlo_module& of)
      : module(of), all_users(of), calls(of), parameters(of), places(of), chains(of, all_users, places, parameters) {}
  /// From a cache, with copies of the tables that other analyses use too: copies cost less than new tables.
  explicit module_tables(const analysis_cache auto& cache)
      : module(*cache.hlo()),
        all_users(cache.template get<users>()),
        calls(cache.template get<call_graph>()),
        parameters(cache.template get<computation_parameters>()),
        places(module),
        chains(module, all_users, places, parameters) {}

  /// Whether a computation is part of an instruction, or not called at all. No values flow into or out of it.
  bool is_embedded(hlo_computation c) const {
    const execution how = calls.execution_of(c);
    return how == execution::embedded || how == execution::unreached;
  }

  hlo_module module;                  ///< the module
  users all_users;                    ///< who reads what
  call_graph calls;                   ///< who calls what
  computation_parameters parameters;  ///< parameters by number
  shape_places places;                ///< parts of all results
  async_chains chains;                ///< chains of async operations
};

/// All instructions in post order, computation after computation in text order: depth first from instructions without
/// users, first operand first, control predecessors before operands and the last of them first. The instructions of a
/// computation fill the same positions as in the module; a computation that is not `wanted` (by computation) has `none`
/// there.
inline std::vector<id> post_order(const module_tables& tables, const std::vector<bool>& wanted) {
  std::vector<id> out, open;
  out.reserve(tables.module.instruction_count());
  enum class state : std::uint8_t { unseen, entered, done };
  std::vector<state> states(tables.module.instruction_count(), state::unseen);
  std::unordered_map<std::string_view, id> named;  // of the current computation, filled on first use
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
    if (out.size() < own.first + own.count)  // a cycle of operands, which no legal module has
      for (const hlo_instruction i : c.instructions())
        if (states[i.id()] != state::done) out.push_back(i.id());
  }
  out.resize(tables.module.instruction_count(), none);
  return out;
}

/// The post order of all computations.
inline std::vector<id> post_order(const module_tables& tables) {
  return post_order(tables, std::vector<bool>(tables.module.computation_count(), true));
}

/// The rank of every instruction in a post order that visits called computations before their callers; 0 for
/// instructions not reached from the entry. `order` is the module's `post_order`.
inline std::vector<std::uint32_t> called_first_ranks(const module_tables& tables, const std::vector<id>& order) {
  std::vector<std::uint32_t> ranks(tables.module.instruction_count());
  std::vector<char> entered(tables.module.computation_count());
  std::uint32_t next = 0;
  detail::walk_called_first(
      tables.module.entry(), order,
      [](hlo_instruction i, std::size_t call) {
        return i.opcode() == hlo_opcode::async_start ? detail::nth_called(i, call) : detail::nth_run(i, call);
      },
      [&](hlo_computation c, hlo_instruction) { return !std::exchange(entered[c.id()], true); },
      [&](hlo_instruction i) { ranks[i.id()] = next++; }, [](hlo_computation) {});
  return ranks;
}

}  // namespace hlolint
