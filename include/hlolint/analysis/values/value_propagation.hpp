// Which values are where: what every instruction makes goes on through those that pass it on (buffer_dumps.md 5.2).
#pragma once

#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/post_order.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/analysis/values/value_definitions.hpp>
#include <hlolint/analysis/values/value_store.hpp>
#include <hlolint/analysis/values/value_update.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>

namespace hlolint::detail {

/// Runs XLA's propagation to its end.
class value_propagation {
 public:
  /// `followed`: by computation, see `followed_computations`.
  value_propagation(const module_tables& tables, const xla_rules& rules, const record_list<bool>& followed)
      : tables_(tables), store_(tables.places), update_(tables, rules, store_) {
    const record_list<id> order = post_order(tables_, followed);
    // As if those that never change waited already: most instructions, nearly all of those in fusions.
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
      if (i != none) wait(i);
    // A few updates of each instruction are normal. Loops that nest hundreds deep have as many as their depth squared.
    std::size_t affordable = 200'000 + 8 * tables_.module.instruction_count();
    while (!queue_.empty() && affordable-- > 0) {
      const hlo_instruction i = tables_.module.instruction(std::get<2>(queue_.top()));
      queue_.pop();
      waiting_[i.id()] = false;
      if (update_(i)) pass_on(i);
    }
    is_complete_ = queue_.empty();
    is_complete_ = store_.simplify() && is_complete_;
  }

  value_store& store() { return store_; }
  /// False: given up, as the module has more loops in loops than could be followed.
  bool is_complete() const { return is_complete_; }

 private:
  void define(hlo_instruction i, const xla_rules& rules) {
    const shape_places& places = tables_.places;
    const auto define_if = [&](auto&& which) {
      for (std::uint32_t n = 0; n < places.count(i.id()); ++n)
        if (which(n) && defines_part(tables_, rules, i, n)) store_.define(i.id(), n);
    };
    if (i.opcode() != hlo_opcode::collective_permute_start) return define_if([](std::uint32_t) { return true; });
    // Of these XLA creates elements of elements last.
    define_if([&](std::uint32_t n) { return places.index(i.id(), n).size() < 2; });
    define_if([&](std::uint32_t n) { return places.index(i.id(), n).size() >= 2; });
  }

  void wait(hlo_instruction i) {
    if (i) wait(i.id());
  }
  void wait(id i) {
    if (waiting_[i]) return;
    waiting_[i] = true;
    queue_.push({ranks_[i], asked_++, i});
  }

  // Those that may see a change of i's values.
  void pass_on(hlo_instruction i) {
    using enum hlo_opcode;
    for (const instruction_use use : tables_.all_users.of(i)) {
      wait(use.user);
      if (use.user.opcode() == conditional) {
        if (use.operand > 0 && use.operand <= use.user.called_computation_count())
          if (const hlo_computation branch = use.user.called_computation(use.operand - 1))
            wait(tables_.parameters.of(branch, 0));
      } else if (use.user.opcode() == async_update || use.user.opcode() == async_done) {
        const hlo_instruction start = tables_.chains.start_of(use.user);
        const hlo_computation wrapped = start ? first_called(start) : hlo_computation{};
        // What is read as operand 0 is the chain itself.
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
        if (parts.body) wait(tables_.parameters.of(parts.body, 0));
        if (parts.condition) wait(tables_.parameters.of(parts.condition, 0));
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
  using waiting_instruction = std::tuple<std::uint32_t, std::uint64_t, id>;  // rank, then the order of asking
  std::priority_queue<waiting_instruction, record_list<waiting_instruction>, std::greater<>> queue_;
  record_list<bool> waiting_;  // by instruction; true as well for those that take no part
  record_list<std::uint32_t> ranks_;
  std::uint64_t asked_ = 0;
  bool is_complete_ = false;
};

}  // namespace hlolint::detail
