// Propagates values from their definitions through instructions that pass them on (buffer_dumps.md 5.2).
#pragma once

#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/analysis/values/value_definitions.hpp>
#include <hlolint/analysis/values/value_store.hpp>
#include <hlolint/grammar/attributes/get.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// Updates the values at an instruction from those at the instructions that they come from.
class value_update {
 public:
  value_update(const module_tables& tables, const xla_rules& rules, value_store& store)
      : tables_(tables), places_(tables.places), rules_(rules), store_(store) {
    for (const hlo_instruction i : tables.module.instructions())
      if (i.opcode() == hlo_opcode::conditional)
        for (std::size_t b = 0; b < i.called_computation_count(); ++b)
          if (const hlo_computation branch = i.called_computation(b)) branches_.try_emplace({i.id(), branch.id()}, b);
  }

  /// Whether an update of i can ever change anything; other instructions only define values.
  bool takes_part(hlo_instruction i) const {
    switch (i.opcode()) {
      using enum hlo_opcode;
      // clang-format off
      case add_dependency: case bitcast: case domain: case opt_barrier: case all_reduce_done: case copy:
      case copy_start: case copy_done: case get_tuple_element: case tuple: case call: case while_: case conditional:
      case send: case recv_done: case all_gather_start: case all_gather_done: case collective_permute_start:
      case collective_permute_done: case async_start: case async_update: case async_done: return true;
      case parameter: return !tables_.is_embedded(i.computation());
        // clang-format on
      default: return false;
    }
  }

  /// Updates i and returns whether anything changed.
  bool operator()(hlo_instruction i) {
    const hlo_instruction from = operand_of(i, 0);
    switch (i.opcode()) {
      using enum hlo_opcode;
      case add_dependency:
      case bitcast:
      case domain:
      case opt_barrier:
      case all_reduce_done: return store_.forward(from, 0, i, 0);
      case copy: return store_.forward(from, 0, i, 0, [](std::uint32_t, std::uint32_t n) { return n != 0; });
      case copy_start: return from && store_.assign(i, element(i, 1), store_.set_at(from, 0));
      case copy_done:
        return from && element(from, 0) != none && store_.assign(i, 0, store_.set_at(from, element(from, 0)));
      case get_tuple_element: {
        const auto index = element_position(i);
        return index && store_.forward(from, element(from, *index), i, 0);
      }
      case tuple: return update_elements(i, 0);
      case call: return store_.forward(root_of(first_called(i)), 0, i, 0);
      case while_: return store_.merge(i, {root_of(parts_of_while(i).body), from});
      case conditional: {
        std::vector<hlo_instruction> roots;
        for (const hlo_computation branch : i.called_computations()) roots.push_back(root_of(branch));
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
      case async_start:
      case async_update:
      case async_done: return update_async(i);
      default: return false;  // see takes_part
    }
  }

 private:
  std::uint32_t element(hlo_instruction i, std::size_t k) const { return i ? places_.element(i.id(), 0, k) : none; }
  std::uint32_t element(hlo_instruction i, std::size_t k, std::size_t l) const {
    const std::uint32_t n = element(i, k);
    return n == none ? none : places_.element(i.id(), n, l);
  }

  /// Forwards operand k to element k of part `to`.
  bool update_elements(hlo_instruction i, std::uint32_t to) {
    bool changed = false;
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      changed = store_.forward(i.operand(k), 0, i, places_.element(i.id(), to, k)) || changed;
    return changed;
  }
  /// Assigns part {} of operand k to element k of part `to`.
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

  /// The number of operands in the shape of an async op.
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
      changed = store_.forward(operand_of(i, 0), 0, i, 0, [&](std::uint32_t, std::uint32_t n) {
        return n != 0 && places_.first_step(i.id(), n) > 1 && goes_through_async(i, n);
      }) || changed;
    return update_async_result(i, start) || changed;
  }

  bool update_async_result(hlo_instruction i, hlo_instruction start) {
    const std::uint32_t to = i.opcode() == hlo_opcode::async_done ? 0 : element(i, 1);
    if (!start) {  // the start is beyond a loop
      const hlo_instruction from = operand_of(i, 0);
      return from && store_.forward(from, element(from, 1), i, to, [&](std::uint32_t n, std::uint32_t) {
        const shape* const s = places_.part(from.id(), n);
        return s && (s->is_array() || s->type == element_type::token);
      });
    }
    const hlo_instruction root = root_of(first_called(start));
    if (!root) return false;
    if (rules_.async_update_slice_forwards && i == start && root.opcode() == hlo_opcode::dynamic_update_slice)
      return operand_of(i, 0) && store_.assign(i, to, store_.set_at(i.operand(0), 0));
    return store_.forward(root, 0, i, to, [&](std::uint32_t n, std::uint32_t m) {
      return goes_through_async(root, n) && places_.part(i.id(), m) &&
             compatible(*places_.part(root.id(), n), *places_.part(i.id(), m));
    });
  }

  bool update_parameter(hlo_instruction p) {
    const hlo_computation own = p.computation();
    const auto k = parameter_position(p);
    if (!k) return false;
    std::vector<hlo_instruction> from;
    const auto give = [&](hlo_instruction i) {
      if (i) from.push_back(i);
    };
    bool merges = false;
    std::size_t seen = 0;
    for (const hlo_instruction caller : tables_.calls.callers(own)) {
      if (seen++ == most_callers) break;
      switch (caller.opcode()) {
        using enum hlo_opcode;
        case call: give(operand_of(caller, *k)); break;
        case while_:
          give(operand_of(caller, 0));
          if (const hlo_instruction root = root_of(parts_of_while(caller).body); !(root == p)) give(root);
          merges = true;
          break;
        case conditional:
          if (const auto branch = branches_.find({caller.id(), own.id()}); branch != branches_.end())
            give(operand_of(caller, branch->second + 1));
          merges = true;
          break;
        case async_start: give(tables_.chains.bound_operand(caller, *k)); break;
        default: break;
      }
    }
    if (from.empty()) return false;
    return merges ? store_.merge(p, from) : store_.unite(p, from);
  }

  /// The most callers of a parameter's computation that count. XLA flattens calls before it assigns buffers, so that
  /// there is one; each change at a caller costs a visit of all.
  static constexpr std::size_t most_callers = 64;

  const module_tables& tables_;
  const shape_places& places_;
  xla_rules rules_;
  value_store& store_;
  std::map<std::pair<id, id>, std::size_t> branches_;  // by conditional and computation: the first such branch
};

/// Runs XLA's propagation to its end.
class value_propagation {
 public:
  /// `followed`: by computation, from `followed_computations`.
  value_propagation(const module_tables& tables, const xla_rules& rules, const std::vector<bool>& followed)
      : tables_(tables), store_(tables.places), update_(tables, rules, store_) {
    const std::vector<id> order = post_order(tables_, followed);
    // Instructions that never change, nearly all of those in fusions, count as waiting, so that they are not queued.
    waiting_.resize(tables_.module.instruction_count(), true);
    for (const hlo_computation c : tables_.module.computations()) {
      if (!followed[c.id()]) continue;
      const id_range range = c.record().instructions;
      for (id at = range.first; at < range.first + range.count; ++at)
        define(tables_.module.instruction(order[at]), rules);
      for (const hlo_instruction i : c.instructions()) waiting_[i.id()] = !update_.takes_part(i);
    }
    ranks_ = called_first_ranks(tables_, order);
    for (const id i : order)
      if (i != none) wait(tables_.module.instruction(i));
    // A few updates per instruction are normal; hundreds of nested loops need their depth squared.
    std::size_t affordable = 200'000 + 8 * tables_.module.instruction_count();
    while (!queue_.empty() && affordable-- > 0) {
      const hlo_instruction i = tables_.module.instruction(std::get<2>(queue_.top()));
      queue_.pop();
      waiting_[i.id()] = false;
      if (update_(i)) pass_on(i);
    }
    is_complete_ = store_.simplify() && queue_.empty();
  }

  value_store& store() { return store_; }
  /// False if the search was given up, because loops are nested too deeply.
  bool is_complete() const { return is_complete_; }

 private:
  void define(hlo_instruction i, const xla_rules& rules) {
    const shape_places& places = tables_.places;
    const auto define_if = [&](auto&& which) {
      for (std::uint32_t n = 0; n < places.count(i.id()); ++n)
        if (which(n) && defines_part(tables_, rules, i, n)) store_.define(i.id(), n);
    };
    if (i.opcode() != hlo_opcode::collective_permute_start) return define_if([](std::uint32_t) { return true; });
    // XLA creates nested elements last.
    define_if([&](std::uint32_t n) { return places.index(i.id(), n).size() < 2; });
    define_if([&](std::uint32_t n) { return places.index(i.id(), n).size() >= 2; });
  }

  void wait(hlo_instruction i) {
    if (!i || std::exchange(waiting_[i.id()], true)) return;
    queue_.push({ranks_[i.id()], asked_++, i.id()});
  }

  // Queues the instructions to which i's values may flow.
  void pass_on(hlo_instruction i) {
    using enum hlo_opcode;
    for (const instruction_use use : tables_.all_users.of(i)) {
      wait(use.user);
      if (use.user.opcode() == conditional) {
        if (use.operand > 0 && use.operand <= use.user.called_computation_count())
          wait(tables_.parameters.of(use.user.called_computation(use.operand - 1), 0));
      } else if (use.user.opcode() == async_update || use.user.opcode() == async_done) {
        const hlo_instruction start = tables_.chains.start_of(use.user);
        const hlo_computation wrapped = start ? first_called(start) : hlo_computation{};
        // Operand 0 is the chain itself.
        if (wrapped && use.operand > 0)
          wait(tables_.parameters.of(wrapped, tables_.chains.bound_before(use.user) + use.operand - 1));
      } else {
        for (const hlo_computation called : use.user.called_computations())
          if (called && !tables_.is_embedded(called)) wait(tables_.parameters.of(called, use.operand));
      }
    }
    if (!i.is_root()) return;
    for (const hlo_instruction caller : tables_.calls.callers(i.computation())) {
      if (caller.opcode() == while_) {
        const while_parts parts = parts_of_while(caller);
        wait(caller);
        for (const hlo_computation c : {parts.body, parts.condition}) wait(tables_.parameters.of(c, 0));
      } else if (!tables_.is_embedded(i.computation()) || caller.opcode() == conditional) {
        wait(caller);
      }
      if (caller.opcode() == async_start)
        for (hlo_instruction link = tables_.chains.next(caller); link; link = tables_.chains.next(link)) wait(link);
    }
  }

  const module_tables& tables_;
  value_store store_;
  value_update update_;
  using waiting_instruction = std::tuple<std::uint32_t, std::uint64_t, id>;  // rank, then order of insertion
  std::priority_queue<waiting_instruction, std::vector<waiting_instruction>, std::greater<>> queue_;
  std::vector<char> waiting_;  // by instruction; also true for those that take no part
  std::vector<std::uint32_t> ranks_;
  std::uint64_t asked_ = 0;
  bool is_complete_ = false;
};

}  // namespace hlolint::detail
