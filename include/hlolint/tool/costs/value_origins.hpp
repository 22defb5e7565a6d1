// Which parts of some results the parts of all results are, moved or converted.
#pragma once

#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/costs/carried_operands.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hlolint {

/// The origin of each part of a result among the parts of some instructions, through operations that only move or
/// convert it.
class value_origins {
 public:
  /// Follows `sources` through tuples, loops, calls, fusions, collectives that move each operand, and each instruction
  /// for which `moves(i)` is true, whose result is then its first operand in another form. O(n log n).
  template <class Moves>
  value_origins(const dependence_graph& graph, std::span<const id> sources, Moves&& moves)
      : from_(graph.owner_.size(), unknown),
        owner_(graph.owner_.begin(), graph.owner_.begin() + static_cast<std::ptrdiff_t>(graph.places().size())),
        places_(graph.tables_, &graph.places()) {
    const hlo_module& module = graph.module();
    const shape_places& places = *places_;
    std::vector<bool> through(module.instruction_count());
    const carried_operands carried(places, module, false);
    std::vector<std::uint32_t> open;
    const auto meet = [&](std::uint32_t node, place_number from) {  // first known, then ambiguous
      place_number& known = from_[node];
      if (known == from || known == several) return;
      known = known == unknown ? from : several;
      open.push_back(node);
    };
    for (const hlo_instruction i : module.instructions()) {
      through[i.id()] = i.operand_count() > 0 && i.operand(0) && moves(i);
      if (through[i.id()] || graph.passes(i) || (carries(i) && !adds_up(i.opcode()))) continue;
      meet(graph.work_[i.id()], computed);
    }
    for (const id source : sources)
      for (std::uint32_t n = 0; n < places.count(source); ++n) meet(places.first(source) + n, places.first(source) + n);
    while (!open.empty()) {
      const std::uint32_t node = open.back();
      open.pop_back();
      for (const std::uint32_t next : graph.edges_.of(node)) {
        const id to = graph.owner_[next];
        if (next == graph.work_[to] &&
            (!through[to] || hlo_instruction{&module.data(), to}.operand(0).id() != graph.owner_[node]))
          continue;
        meet(next, from_[node]);
      }
      carried.for_each(node, [&](place_number to) { meet(to, from_[node]); });
    }
  }

  /// The instruction that a part of a result comes from; an empty view if there is none, or several parts.
  hlo_instruction of(hlo_instruction i, std::uint32_t part = 0) const {
    const place_number found = found_for(i, part);
    return found >= owner_.size() ? hlo_instruction{} : hlo_instruction{&i.data(), owner_[found]};
  }
  /// Whether a part of a result is computed, and is no part of the followed instructions.
  bool is_computed(hlo_instruction i, std::uint32_t part = 0) const {
    return found_for(i, part) == computed || found_for(i, part) == unknown;
  }
  /// The part of the origin's result. Precondition: there is an origin.
  std::uint32_t part_of(hlo_instruction i, std::uint32_t part = 0) const {
    return found_for(i, part) - places_->first(of(i, part).id());
  }
  /// The numbering of parts.
  const shape_places& places() const { return *places_; }

 private:
  static constexpr place_number computed = none - 2, unknown = none - 1, several = none;
  place_number found_for(hlo_instruction i, std::uint32_t part) const { return from_[places_->first(i.id()) + part]; }

  std::vector<place_number> from_;  // by node
  std::vector<id> owner_;           // by place
  std::shared_ptr<const shape_places> places_;
};

}  // namespace hlolint
