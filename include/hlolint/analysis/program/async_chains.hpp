// Chains of async-start, async-update and async-done (buffer_dumps.md 4, 5.2).
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/grouped_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace hlolint {

/// All chains of a module. A chain follows a start by operand 0; an op whose start lies beyond a loop's boundary
/// belongs to none.
class async_chains {
 public:
  /// Linear in the module, which is kept; the tables are not kept.
  async_chains(const hlo_module& module, const users& all_users, const shape_places& places,
               const computation_parameters& parameters)
      : module_(module),
        start_(module.instruction_count(), none),
        next_(start_.size(), none),
        last_(start_.size()),
        bound_before_(start_.size()),
        runs_at_(start_.size(), none) {
    // Few computations have chains; all others, most of a big program, are scanned only once.
    std::vector<hlo_instruction> links;
    for (const hlo_computation c : module.computations()) {
      const std::size_t before = links.size();
      for (const hlo_instruction i : c.instructions())
        if (is_async_opcode(i.opcode())) links.push_back(i);
      if (links.size() == before) continue;
      for (const hlo_instruction i : c.instructions()) start_[i.id()] = find_start(i);
    }
    for (const hlo_instruction i : links) {
      for (const instruction_use use : all_users.of(i))
        if (use.operand == 0 && use.user.id() > i.id() &&
            (use.user.opcode() == hlo_opcode::async_update || use.user.opcode() == hlo_opcode::async_done)) {
          next_[i.id()] = use.user.id();
          break;
        }
      if (const id next = next_[i.id()]; next != none) bound_before_[next] = bound_before_[i.id()] + bound_by(i);
    }
    std::iota(last_.begin(), last_.end(), id{0});
    for (auto i = links.rbegin(); i != links.rend(); ++i)  // users stand after what they use
      if (const id after = next_[i->id()]; after != none) last_[i->id()] = last_[after];
    links_ = {start_.size(), [&](auto&& add) {
                for (const hlo_instruction i : links)
                  for (hlo_instruction link = i; link && i.opcode() == hlo_opcode::async_start; link = next(link))
                    add(i.id(), link.id());
              }};
    for (const hlo_instruction i : links)
      if (i.opcode() == hlo_opcode::async_start) find_run(i, places, parameters);
  }

  /// The async-start that an op belongs to; an empty view if it lies beyond a loop's boundary, or i is not an async op.
  hlo_instruction start_of(hlo_instruction i) const { return view(start_[i.id()]); }
  /// The next op of the chain, or an empty view.
  hlo_instruction next(hlo_instruction i) const { return view(next_[i.id()]); }
  /// The last op of the chain, which may be i.
  hlo_instruction last(hlo_instruction i) const { return view(last_[i.id()]); }
  /// The op at which the wrapped computation runs in the schedule: the first one of the chain with all operands bound.
  hlo_instruction runs_at(hlo_instruction start) const { return view(runs_at_[start.id()]); }
  /// Number of operands bound by the ops of the chain before i.
  std::size_t bound_before(hlo_instruction i) const { return bound_before_[i.id()]; }

  /// Operand k bound by the whole chain; an empty view if there is none.
  hlo_instruction bound_operand(hlo_instruction start, std::size_t k) const {
    // A binary search, since chains can be long.
    const std::span<const id> links = links_.of(start.id());
    const auto after = std::upper_bound(links.begin(), links.end(), k,
                                        [&](std::size_t n, id link) { return n < bound_before_[link]; });
    if (after == links.begin()) return {};
    const hlo_instruction i = view(*std::prev(after));
    const std::size_t own = k - bound_before(i);
    return own < bound_by(i) ? i.operand(i.operand_count() - bound_by(i) + own) : hlo_instruction{};
  }

  /// Calls `f(k, operand)` for the first `most` operands bound by the chain up to and including `upto`, k counting from
  /// 0.
  void for_each_bound(hlo_instruction start, hlo_instruction upto, std::size_t most, auto&& f) const {
    std::size_t k = 0;
    for (hlo_instruction i = start; i && k < most; i = next(i)) {
      for (std::size_t o = i == start ? 0 : 1; o < i.operand_count() && k < most; ++o, ++k)
        if (const hlo_instruction operand = i.operand(o)) f(k, operand);
      if (i == upto) break;
    }
  }

 private:
  hlo_instruction view(id i) const { return i == none ? hlo_instruction{} : module_.instruction(i); }
  static std::size_t bound_by(hlo_instruction i) {
    const std::size_t passed_on = i.opcode() == hlo_opcode::async_start ? 0 : 1;
    return i.operand_count() > passed_on ? i.operand_count() - passed_on : 0;
  }

  static constexpr bool passes_chain_on(hlo_opcode opcode) {
    using enum hlo_opcode;
    return opcode == async_update || opcode == async_done || opcode == bitcast || opcode == opt_barrier ||
           opcode == copy || opcode == get_tuple_element;
  }
  // Operands stand before their users, so their starts are known.
  id find_start(hlo_instruction i) const {
    using enum hlo_opcode;
    if (i.opcode() == async_start) return i.id();
    if (!passes_chain_on(i.opcode())) return none;
    hlo_instruction from = operand_of(i, 0);
    if (!from || from.id() >= i.id()) return none;
    if (i.opcode() == get_tuple_element) {
      const auto index = from.opcode() == tuple ? element_position(i) : std::nullopt;
      from = index ? operand_of(from, *index) : hlo_instruction{};
    }
    return from && from.id() < i.id() ? start_[from.id()] : none;
  }

  void find_run(hlo_instruction start, const shape_places& places, const computation_parameters& parameters) {
    const hlo_computation wrapped = first_called(start);
    if (!root_of(wrapped)) return;
    hlo_instruction i = start;
    while (i && !is_bound(i, wrapped, places, parameters)) i = next(i);
    if (i) runs_at_[start.id()] = i.id();
  }
  /// Whether all parameters and the result are bound at an op of the chain, as far as its shapes show it.
  static bool is_bound(hlo_instruction i, hlo_computation wrapped, const shape_places& places,
                       const computation_parameters& parameters) {
    const bool done = i.opcode() == hlo_opcode::async_done;
    const id states = done && i.operand(0) ? i.operand(0).id() : i.id();  // whose shape shows what is bound
    if (places.element_count(states, 0) < 2) return true;
    const std::uint32_t operands = places.element(states, 0, 0);
    const shape* const result = done ? places.part(i.id(), 0) : places.part(i.id(), places.element(i.id(), 0, 1));
    const auto fits = [](const shape* a, const shape* b) { return a && b && compatible(*a, *b); };
    bool bound = fits(result, places.part(wrapped.root().id(), 0)) &&
                 places.element_count(states, operands) == parameters.count(wrapped);
    for (std::size_t k = 0; bound && k < parameters.count(wrapped); ++k) {
      const hlo_instruction parameter = parameters.of(wrapped, k);
      bound =
          parameter && fits(places.part(states, places.element(states, operands, k)), places.part(parameter.id(), 0));
    }
    return bound;
  }

  hlo_module module_;
  std::vector<id> start_, next_, last_;  // by instruction
  std::vector<std::size_t> bound_before_;
  std::vector<id> runs_at_;  // by start
  grouped_list<id> links_;   // by start: the ops of its chain
};

}  // namespace hlolint
