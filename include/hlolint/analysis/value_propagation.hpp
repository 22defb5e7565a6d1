// Which values are where: what every instruction makes goes on through those that pass it on (buffer_dumps.md 5.2).
#pragma once

#include <hlolint/analysis/module_tables.hpp>
#include <hlolint/analysis/phi_values.hpp>
#include <hlolint/analysis/post_order.hpp>
#include <hlolint/analysis/value_definitions.hpp>
#include <hlolint/analysis/value_sets.hpp>
#include <hlolint/analysis/xla_rules.hpp>
#include <hlolint/grammar/attribute_access.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// A value as XLA creates it; its number is its position among all that were ever created.
struct created_value {
  id instruction = none;
  std::uint32_t part = 0;
  bool phi = false;
  bool dropped = false;
};

/// Runs XLA's propagation to its end.
class value_propagation {
 public:
  value_propagation(const module_tables& tables, const xla_rules& rules)
      : tables_(tables), places_(tables.places), rules_(rules), at_(tables.places.size(), value_sets::empty) {
    const std::vector<id> order = post_order(tables_);
    for (const id i : order) {
      const bool whole_first = tables_.module.instruction(i).opcode() == hlo_opcode::collective_permute_start;
      const std::uint32_t deepest = whole_first ? 2 : 0;  // XLA creates its elements of elements last
      for (std::uint32_t depth = 0; depth <= deepest; depth += 2)
        for (std::uint32_t n = 0; n < places_.count(i); ++n)
          if ((!whole_first || (places_.index(i, n).size() < 2) == (depth < 2)) && defines_part(tables_, rules_, tables_.module.instruction(i), n))
            at_[places_.first(i) + n] = create(i, n, false);
    }
    ranks_ = called_first_ranks(tables_, order);
    waiting_.resize(tables_.module.instruction_count());
    for (const id i : order) wait(i);
    while (!queue_.empty()) {
      const id i = std::get<2>(queue_.top());
      queue_.pop();
      waiting_[i] = false;
      if (update(tables_.module.instruction(i))) pass_on(tables_.module.instruction(i));
    }
    phis_.simplify();
    for (std::uint32_t& set : at_) set = sets_.map(set, [&](std::uint32_t v) { return phis_.resolve(v); });
    for (std::uint32_t v = 0; v < values_.size(); ++v)
      if (phis_.resolve(v) != v) values_[v].dropped = true;
  }

  std::vector<created_value>& values() { return values_; }
  /// By place: a set of `sets()`.
  std::vector<std::uint32_t>& at() { return at_; }
  value_sets& sets() { return sets_; }

 private:
  std::uint32_t create(id i, std::uint32_t part, bool phi) {
    values_.push_back({i, part, phi, false});
    return static_cast<std::uint32_t>(values_.size()) - 1;
  }
  std::uint32_t set_at(hlo_instruction i, std::uint32_t n) const { return at_[places_.first(i.id()) + n]; }
  hlo_instruction operand(hlo_instruction i, std::size_t k) const {
    return k < i.operand_count() ? i.operand(k) : hlo_instruction{};
  }

  void wait(hlo_instruction i) {
    if (i) wait(i.id());
  }
  void wait(id i) {
    if (waiting_[i]) return;
    waiting_[i] = true;
    queue_.push({ranks_[i], tick_++, i});
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
        for (std::size_t k = 0; wrapped && k < tables_.parameters.count(wrapped); ++k) wait(tables_.parameters.of(wrapped, k));
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

  bool assign(hlo_instruction i, std::uint32_t n, std::uint32_t set) {
    if (n == none) return false;
    return std::exchange(at_[places_.first(i.id()) + n], set) != set;
  }
  template <class Which>
  bool forward(hlo_instruction from, std::uint32_t n, hlo_instruction to, std::uint32_t m, Which&& which) {
    if (!from || n == none || m == none) return false;
    bool changed = false;
    places_.for_each_common(from.id(), n, to.id(), m, [&](std::uint32_t a, std::uint32_t b) {
      if (which(a, b)) changed = assign(to, b, set_at(from, a)) || changed;
    });
    return changed;
  }
  bool forward(hlo_instruction from, std::uint32_t n, hlo_instruction to, std::uint32_t m) {
    return forward(from, n, to, m, [](std::uint32_t, std::uint32_t) { return true; });
  }
  std::uint32_t element(hlo_instruction i, std::size_t k) const { return i ? places_.element(i.id(), 0, k) : none; }
  std::uint32_t element(hlo_instruction i, std::size_t k, std::size_t l) const {
    const std::uint32_t n = element(i, k);
    return n == none ? none : places_.element(i.id(), n, l);
  }

  bool update(hlo_instruction i) {
    const hlo_instruction from = operand(i, 0);
    switch (i.opcode()) {
      using enum hlo_opcode;
      case add_dependency: case bitcast: case domain: case opt_barrier: case all_reduce_done: return forward(from, 0, i, 0);
      case copy: return forward(from, 0, i, 0, [](std::uint32_t, std::uint32_t n) { return n != 0; });
      case copy_start: return from && assign(i, element(i, 1), set_at(from, 0));
      case copy_done: return from && element(from, 0) != none && assign(i, 0, set_at(from, element(from, 0)));
      case get_tuple_element: {
        const auto index = get_integer(i, attribute_key::index);
        return index && *index >= 0 && forward(from, element(from, static_cast<std::size_t>(*index)), i, 0);
      }
      case tuple: return update_elements(i, 0);
      case call: return i.called_computation_count() > 0 && i.called_computation(0) && forward(i.called_computation(0).root(), 0, i, 0);
      case while_: {
        const hlo_computation body = parts_of_while(i).body;
        return merge(i, {body ? body.root() : hlo_instruction{}, from});
      }
      case conditional: {
        std::vector<hlo_instruction> roots;
        for (const hlo_computation branch : i.called_computations())
          if (branch) roots.push_back(branch.root());
        return merge(i, roots);
      }
      case parameter: return update_parameter(i);
      case send: return forward(from, 0, i, element(i, 0));
      case recv_done: return forward(from, element(from, 0), i, element(i, 0));
      case all_gather_start:
        if (i.operand_count() > 1) return update_leaves(i, element(i, 0));
        return from && assign(i, element(i, 0), set_at(from, 0));
      case all_gather_done:
        return forward(from, element(from, 1), i, 0, [&](std::uint32_t, std::uint32_t n) { return is_array(i, n); });
      case collective_permute_start: return update_permute_start(i, from);
      case collective_permute_done:
        return forward(from, element(from, 1), i, 0, [&](std::uint32_t, std::uint32_t n) { return !places_.is_tuple(i.id(), n); });
      case async_start: case async_update: case async_done: return update_async(i);
      default: return false;
    }
  }

  /// Operand k goes to element k of part `to`, whole or only its own part {}.
  bool update_elements(hlo_instruction i, std::uint32_t to) {
    bool changed = false;
    for (std::size_t k = 0; k < i.operand_count(); ++k)
      changed = forward(i.operand(k), 0, i, places_.element(i.id(), to, k)) || changed;
    return changed;
  }
  bool update_leaves(hlo_instruction i, std::uint32_t to) {
    bool changed = false;
    for (std::size_t k = 0; to != none && k < i.operand_count(); ++k)
      if (i.operand(k)) changed = assign(i, places_.element(i.id(), to, k), set_at(i.operand(k), 0)) || changed;
    return changed;
  }
  bool update_permute_start(hlo_instruction i, hlo_instruction from) {
    if (!permutes_in_place(i) && i.operand_count() > 1) return update_leaves(i, element(i, 0));
    if (!from) return false;
    if (places_.is_tuple(from.id(), 0))
      return forward(from, 0, i, element(i, 0), [&](std::uint32_t n, std::uint32_t) { return n != 0; });
    return assign(i, element(i, 0), set_at(from, 0));
  }

  bool is_array(hlo_instruction i, std::uint32_t n) const {
    const shape* const s = places_.part(i.id(), n);
    return s && s->is_array();
  }
  bool goes_through_async(hlo_instruction i, std::uint32_t n) const {
    const shape* const s = places_.part(i.id(), n);
    return s && (s->is_array() || (rules_.async_passes_tokens && s->type == element_type::token));
  }

  bool update_async(hlo_instruction i) {
    bool changed = false;
    const hlo_instruction start = tables_.chains.start_of(i);
    if (i.opcode() != hlo_opcode::async_done && start)
      tables_.chains.for_each_bound(start, i, [&](std::size_t k, hlo_instruction bound) {
        changed = forward(bound, 0, i, element(i, 0, k), [&](std::uint32_t n, std::uint32_t) { return goes_through_async(bound, n); }) || changed;
      });
    if (i.opcode() == hlo_opcode::async_update && !rules_.async_update_owns_context)
      changed = forward(operand(i, 0), 0, i, 0, [&](std::uint32_t, std::uint32_t n) {
                  return n != 0 && places_.first_step(i.id(), n) > 1 && goes_through_async(i, n);
                }) || changed;
    return update_async_result(i, start) || changed;
  }

  bool update_async_result(hlo_instruction i, hlo_instruction start) {
    const std::uint32_t to = i.opcode() == hlo_opcode::async_done ? 0 : element(i, 1);
    if (!start) {  // the chain comes out of a loop
      const hlo_instruction from = operand(i, 0);
      return from && forward(from, element(from, 1), i, to, [&](std::uint32_t n, std::uint32_t) {
               const shape* const s = places_.part(from.id(), n);
               return s && (s->is_array() || s->type == element_type::token);
             });
    }
    const hlo_computation wrapped = first_called(start);
    const hlo_instruction root = wrapped ? wrapped.root() : hlo_instruction{};
    if (!root) return false;
    if (rules_.async_update_slice_forwards && i == start && root.opcode() == hlo_opcode::dynamic_update_slice)
      return operand(i, 0) && assign(i, to, set_at(i.operand(0), 0));
    return forward(root, 0, i, to, [&](std::uint32_t n, std::uint32_t m) {
      return goes_through_async(root, n) && places_.part(i.id(), m) &&
             compatible(*places_.part(root.id(), n), *places_.part(i.id(), m));
    });
  }

  bool update_parameter(hlo_instruction p) {
    const hlo_computation own = p.computation();
    const auto number = p.parameter_number();
    if (!number || *number < 0 || tables_.is_embedded(own)) return false;
    const auto k = static_cast<std::size_t>(*number);
    std::vector<hlo_instruction> from;
    bool merges = false;
    for (const hlo_instruction caller : tables_.calls.callers(own)) {
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
          for (std::size_t b = 0; b < caller.called_computation_count(); ++b)
            if (caller.called_computation(b) == own) {
              from.push_back(operand(caller, b + 1));
              break;
            }
          merges = true;
          break;
        case async_start: {
          hlo_instruction given;
          tables_.chains.for_each_bound(caller, tables_.chains.last(caller), [&](std::size_t b, hlo_instruction bound) {
            if (b == k) given = bound;
          });
          from.push_back(given);
          break;
        }
        default: break;
      }
    }
    from.erase(std::remove_if(from.begin(), from.end(), [](hlo_instruction i) { return !i; }), from.end());
    if (from.empty()) return false;
    if (merges) return merge(p, from);
    if (from.size() == 1) return forward(from[0], 0, p, 0);
    bool changed = false;
    const auto parts = common_parts(p, from);
    for (std::uint32_t n = 0; n < places_.count(p.id()); ++n) {
      arriving_.clear();
      for (std::size_t f = 0; f < from.size(); ++f)
        if (parts[f][n] != none) sets_.append(set_at(from[f], parts[f][n]), arriving_);
      changed = assign(p, n, sets_.make(arriving_)) || changed;
    }
    return changed;
  }

  /// For each of `from` its parts at the same indices as those of i.
  std::vector<std::vector<std::uint32_t>> common_parts(hlo_instruction i, const std::vector<hlo_instruction>& from) const {
    std::vector<std::vector<std::uint32_t>> out;
    for (const hlo_instruction f : from) {
      out.emplace_back(places_.count(i.id()), none);
      if (f) places_.for_each_common(i.id(), 0, f.id(), 0, [&](std::uint32_t n, std::uint32_t m) { out.back()[n] = m; });
    }
    return out;
  }

  /// Where two values arrive at a part, a phi begins.
  bool merge(hlo_instruction i, const std::vector<hlo_instruction>& from) {
    bool changed = false;
    const auto parts = common_parts(i, from);
    for (std::uint32_t n = 0; n < places_.count(i.id()); ++n) {
      arriving_.clear();
      for (std::size_t f = 0; f < from.size(); ++f)
        if (parts[f][n] != none) sets_.append(set_at(from[f], parts[f][n]), arriving_);
      if (arriving_.empty()) continue;
      const std::uint32_t known = sets_.first(set_at(i, n));
      const bool own = known != value_sets::empty && values_[known].instruction == i.id() && values_[known].part == n;
      if (arriving_.size() == 1) {
        if (known == arriving_[0]) continue;
        if (own) values_[known].dropped = true;
        assign(i, n, arriving_[0]);
        changed = true;
      } else if (!own || !values_[known].phi) {
        const std::uint32_t phi = create(i.id(), n, true);
        assign(i, n, phi);
        phis_.arrive(phi, arriving_);
        changed = true;
      } else if (!same_values(phis_.inputs(known), arriving_)) {
        phis_.arrive(known, arriving_);
        changed = true;
      }
    }
    return changed;
  }

  static bool same_values(std::vector<std::uint32_t> a, std::vector<std::uint32_t> b) {
    for (auto* const list : {&a, &b}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return a == b;
  }

  const module_tables& tables_;
  const shape_places& places_;
  xla_rules rules_;
  std::vector<created_value> values_;
  std::vector<std::uint32_t> at_;
  value_sets sets_;
  phi_values phis_;
  using waiting_instruction = std::tuple<std::uint32_t, std::uint64_t, id>;
  std::priority_queue<waiting_instruction, std::vector<waiting_instruction>, std::greater<>> queue_;
  std::vector<bool> waiting_;
  std::vector<std::uint32_t> ranks_;
  std::uint64_t tick_ = 0;
  std::vector<std::uint32_t> arriving_;
};

}  // namespace hlolint::detail
