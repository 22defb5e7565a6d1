// Collectives whose results are their operands, moved or added up, and the corresponding parts.
#pragma once

#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlolint {

/// Whether the results of a collective are sums over devices of its operands.
constexpr bool adds_up(hlo_opcode opcode) {
  using enum hlo_opcode;
  return opcode == all_reduce || opcode == all_reduce_start || opcode == all_reduce_done || opcode == reduce_scatter;
}

/// Whether each result of a collective is an operand, moved or added up.
inline bool carries(hlo_instruction i) {
  using enum hlo_opcode;
  const hlo_opcode op = i.opcode();
  return i.operand_count() > 0 &&
         (op == all_gather || op == all_gather_start || op == all_gather_done || op == collective_permute ||
          op == collective_permute_start || op == collective_permute_done || adds_up(op));
}

/// The corresponding places of operands and results, for all collectives of a module that carry operands.
class carried_operands {
 public:
  /// Maps from operands to results or, if `back`, from results to operands. O(n log n).
  carried_operands(const shape_places& places, const hlo_module& module, bool back) {
    for (const hlo_instruction i : module.instructions())
      if (carries(i) && (back || !adds_up(i.opcode()))) add(places, i);
    if (back)
      for (auto& [from, to] : pairs_) std::swap(from, to);
    std::sort(pairs_.begin(), pairs_.end());
  }

  /// Calls `f(place)` for each place that corresponds to `from`.
  void for_each(place_number from, auto&& f) const {
    for (auto p = std::lower_bound(pairs_.begin(), pairs_.end(), std::pair(from, place_number{0}));
         p != pairs_.end() && p->first == from; ++p)
      f(p->second);
  }

 private:
  void add(const shape_places& places, hlo_instruction i) {
    using enum hlo_opcode;
    const auto take = [&](hlo_instruction from, std::uint32_t m, std::uint32_t n) {
      if (!from || m == none || n == none) return;
      places.for_each_common(from.id(), m, i.id(), n, [&](std::uint32_t a, std::uint32_t b) {
        pairs_.emplace_back(places.first(from.id()) + a, places.first(i.id()) + b);
      });
    };
    const hlo_opcode opcode = i.opcode();
    if (opcode == all_reduce_done) return take(i.operand(0), 0, 0);
    if (opcode == all_gather_done || opcode == collective_permute_done) {
      if (i.operand(0)) take(i.operand(0), places.element(i.operand(0).id(), 0, 1), 0);
      return;
    }
    // The shape of a start holds the operands, then the results.
    std::vector<std::uint32_t> results{0};
    if (opcode == all_gather_start || opcode == collective_permute_start)
      results = {places.element(i.id(), 0, 0), places.element(i.id(), 0, 1)};
    for (const std::uint32_t whole : results) {
      if (whole == none) continue;
      if (!places.is_tuple(i.id(), whole))
        take(i.operand(0), 0, whole);
      else
        for (std::size_t k = 0; k < i.operand_count(); ++k) take(i.operand(k), 0, places.element(i.id(), whole, k));
    }
  }

  std::vector<std::pair<place_number, place_number>> pairs_;  // sorted
};

}  // namespace hlolint
