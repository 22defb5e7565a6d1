// What single instructions pass on, opcode by opcode (buffer_dumps.md 5.2).
#pragma once

#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/analysis/values/value_definitions.hpp>
#include <hlolint/analysis/values/value_store.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace hlolint::detail {

/// Brings the values at one instruction up to date with those at the instructions that it gets them from.
class value_update {
 public:
  value_update(const module_tables& tables, const xla_rules& rules, value_store& store)
      : tables_(tables), places_(tables.places), rules_(rules), store_(store) {
    for (const hlo_instruction i : tables.module.instructions())
      if (i.opcode() == hlo_opcode::conditional)
        for (std::size_t b = 0; b < i.called_computation_count(); ++b)
          if (const hlo_computation branch = i.called_computation(b)) branches_.try_emplace({i.id(), branch.id()}, b);
  }

  /// Whether an update of i could ever change anything: all others only define values.
  bool takes_part(hlo_instruction i) const {
    switch (i.opcode()) {
      using enum hlo_opcode;
      case add_dependency:
      case bitcast:
      case domain:
      case opt_barrier:
      case all_reduce_done:
      case copy:
      case copy_start:
      case copy_done: case get_tuple_element: case tuple: case call: case while_: case conditional: case send:
      case recv_done: case all_gather_start: case all_gather_done: case collective_permute_start:
      case collective_permute_done: case async_start: case async_update: case async_done: return true;
      case parameter: return !tables_.is_embedded(i.computation());
      default: return false;
    }
  }

  /// Whether anything at i is different afterwards.
  bool operator()(hlo_instruction i) {
    const hlo_instruction from = operand(i, 0);
    switch (i.opcode()) {
      using enum hlo_opcode;
      case add_dependency: case bitcast: case domain: case opt_barrier: case all_reduce_done:
        return store_.forward(from, 0, i, 0);
      case copy: return store_.forward(from, 0, i, 0, [](std::uint32_t, std::uint32_t n) { return n != 0; });
      case copy_start: return from && store_.assign(i, element(i, 1), store_.set_at(from, 0));
      case copy_done:
        return from && element(from, 0) != none && store_.assign(i, 0, store_.set_at(from, element(from, 0)));
      case get_tuple_element: {
        const auto index = get_integer(i, attribute_key::index);
        return index && *index >= 0 && store_.forward(from, element(from, static_cast<std::size_t>(*index)), i, 0);
      }
      case tuple: return update_elements(i, 0);
      case call:
        return i.called_computation_count() > 0 && i.called_computation(0) &&
               store_.forward(i.called_computation(0).root(), 0, i, 0);
      case while_: {
        const hlo_computation body = parts_of_while(i).body;
        return store_.merge(i, {body ? body.root() : hlo_instruction{}, from});
      }
      case conditional: {
        record_list<hlo_instruction> roots;
        for (const hlo_computation branch : i.called_computations())
          if (branch) roots.push_back(branch.root());
        return store_.merge(i, roots);
      }
      case parameter: return update_parameter(i);
      case send: return store_.forward(from, 0, i, element(i, 0));
      case recv_done: return store_.forward(from, element(from, 0), i, element(i, 0));
      case all_gather_start:
        if (i.operand_count() > 1) return update_leaves(i, element(i, 0));
        return from && store_.assign(i, element(i, 0), store_.set_at(from, 0));
      case all_gather_done:
        return store_.forward(from, element(from, 1), i, 0,
                              [&](std::uint32_t, std::uint32_t n) { return is_array(i, n); });
      case collective_permute_start: return update_permute_start(i, from);
      case collective_permute_done:
        return store_.forward(from, element(from, 1), i, 0,
                              [&](std::uint32_t, std::uint32_t n) { return !places_.is_tuple(i.id(), n); });
      case async_start: case async_update: case async_done: return update_async(i);
      default: return false;  // see takes_part
    }
  }

 private:
  hlo_instruction operand(hlo_instruction i, std::size_t k) const {
    return k < i.operand_count() ? i.operand(k) : hlo_instruction{};
  }
  std::uint32_t element(hlo_instruction i, std::size_t k) const { return i ? places_.element(i.id(), 0, k) : none; }
  std::uint32_t element(hlo_instruction i, std::size_t k, std::size_t l) const {
    const std::uint32_t n = element(i, k);
    return n == none ? none : places_.element(i.id(), n, l);
  }

  /// Operand k goes to element k of part `to`.
  bool update_elements(hlo_instruction i, std::uint32_t to) {
    bool changed = false;
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      changed = store_.forward(i.operand(k), 0, i, places_.element(i.id(), to, k)) || changed;
    return changed;
  }
  /// The same, but only part {} of each operand.
  bool update_leaves(hlo_instruction i, std::uint32_t to) {
    bool changed = false;
    for (std::size_t k = 0; to != none && k < i.operand_count(); ++k)
      if (i.operand(k))
        changed = store_.assign(i, places_.element(i.id(), to, k), store_.set_at(i.operand(k), 0)) || changed;
    return changed;
  }
  bool update_permute_start(hlo_instruction i, hlo_instruction from) {
    if (!permutes_in_place(i) && i.operand_count() > 1) return update_leaves(i, element(i, 0));
    if (!from) return false;
    if (places_.is_tuple(from.id(), 0))
      return store_.forward(from, 0, i, element(i, 0), [&](std::uint32_t n, std::uint32_t) { return n != 0; });
    return store_.assign(i, element(i, 0), store_.set_at(from, 0));
  }

  bool is_array(hlo_instruction i, std::uint32_t n) const {
    const shape* const s = places_.part(i.id(), n);
    return s && s->is_array();
  }
  bool goes_through_async(hlo_instruction i, std::uint32_t n) const {
    const shape* const s = places_.part(i.id(), n);
    return s && (s->is_array() || (rules_.async_passes_tokens && s->type == element_type::token));
  }

  /// Operands that the shape of an async op has room for.
  std::size_t bound_count(hlo_instruction i) const {
    const std::uint32_t operands = element(i, 0);
    return operands == none ? 0 : places_.element_count(i.id(), operands);
  }
  bool update_async(hlo_instruction i) {
    bool changed = false;
    const hlo_instruction start = tables_.chains.start_of(i);
    if (i.opcode() != hlo_opcode::async_done && start)
      tables_.chains.for_each_bound(start, i, bound_count(i), [&](std::size_t k, hlo_instruction bound) {
        changed = store_.forward(bound, 0, i, element(i, 0, k), [&](std::uint32_t n, std::uint32_t) {
          return goes_through_async(bound, n);
        }) || changed;
      });
    if (i.opcode() == hlo_opcode::async_update && !rules_.async_update_owns_context)
      changed = store_.forward(operand(i, 0), 0, i, 0, [&](std::uint32_t, std::uint32_t n) {
                  return n != 0 && places_.first_step(i.id(), n) > 1 && goes_through_async(i, n);
                }) || changed;
    return update_async_result(i, start) || changed;
  }

  bool update_async_result(hlo_instruction i, hlo_instruction start) {
    const std::uint32_t to = i.opcode() == hlo_opcode::async_done ? 0 : element(i, 1);
    if (!start) {  // the chain comes out of a loop
      const hlo_instruction from = operand(i, 0);
      return from && store_.forward(from, element(from, 1), i, to, [&](std::uint32_t n, std::uint32_t) {
               const shape* const s = places_.part(from.id(), n);
               return s && (s->is_array() || s->type == element_type::token);
             });
    }
    const hlo_computation wrapped = first_called(start);
    const hlo_instruction root = wrapped ? wrapped.root() : hlo_instruction{};
    if (!root) return false;
    if (rules_.async_update_slice_forwards && i == start && root.opcode() == hlo_opcode::dynamic_update_slice)
      return operand(i, 0) && store_.assign(i, to, store_.set_at(i.operand(0), 0));
    return store_.forward(root, 0, i, to, [&](std::uint32_t n, std::uint32_t m) {
      return goes_through_async(root, n) && places_.part(i.id(), m) &&
             compatible(*places_.part(root.id(), n), *places_.part(i.id(), m));
    });
  }

  bool update_parameter(hlo_instruction p) {
    const hlo_computation own = p.computation();
    const auto number = p.parameter_number();
    if (!number || *number < 0) return false;
    const auto k = static_cast<std::size_t>(*number);
    record_list<hlo_instruction> from;
    bool merges = false;
    std::size_t seen = 0;
    for (const hlo_instruction caller : tables_.calls.callers(own)) {
      if (seen++ == most_callers) break;
      switch (caller.opcode()) {
        using enum hlo_opcode;
        case call: from.push_back(operand(caller, k)); break;
        case while_: {
          const hlo_computation body = parts_of_while(caller).body;
          from.push_back(operand(caller, 0));
          if (body && !(body.root() == p)) from.push_back(body.root());
          merges = true;
          break;
        }
        case conditional:
          if (const auto branch = branches_.find({caller.id(), own.id()}); branch != branches_.end())
            from.push_back(operand(caller, branch->second + 1));
          merges = true;
          break;
        case async_start: from.push_back(tables_.chains.bound_operand(caller, k)); break;
        default: break;
      }
    }
    from.erase(std::remove_if(from.begin(), from.end(), [](hlo_instruction i) { return !i; }), from.end());
    if (from.empty()) return false;
    return merges ? store_.merge(p, from) : store_.unite(p, from);
  }

  /// XLA flattens calls before it assigns buffers, so that there is one; what comes from more callers than this is left
  /// out, as each change at one of them would make all be looked at again.
  static constexpr std::size_t most_callers = 64;

  const module_tables& tables_;
  const shape_places& places_;
  xla_rules rules_;
  value_store& store_;
  std::map<std::pair<id, id>, std::size_t> branches_;  // conditional and computation: the first branch that runs it
};

}  // namespace hlolint::detail
