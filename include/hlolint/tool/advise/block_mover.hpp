// Blocks: the instructions that have to move together, and how far each block can move (advise.md 4).
#pragma once

#include <hlolint/ir/module.hpp>
#include <hlolint/tool/advise/instruction_order.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace hlolint::advise {

/// Makes blocks of instructions of one computation that can move together.
class block_mover {
 public:
  /// Precondition: both arguments outlive the object.
  block_mover(const schedule_constraints& rules, const instruction_order& order) : rules_(rules), order_(order) {}

  /// The given instructions and, of those at the places from `low` to `high`, all that have to stay after them
  /// (`forward`) or before them; sorted by place. Empty if one of the block cannot move, or if it has more than `most`.
  std::vector<id> closure(std::span<const id> from, bool forward, std::size_t low, std::size_t high,
                          std::size_t most) const {
    std::vector<id> out;
    std::vector<id> open;
    const auto add = [&](id i) {
      if (holds(out, i)) return true;
      if (rules_.is_fixed(i) || out.size() >= most) return false;
      out.push_back(i);
      open.push_back(i);
      return true;
    };
    for (const id i : from)
      if (!add(i)) return {};
    while (!open.empty()) {
      const id i = open.back();
      open.pop_back();
      for (const id next : forward ? rules_.after(i) : rules_.before(i)) {
        const std::size_t place = order_.place_of(next);
        if (place >= low && place <= high && !add(next)) return {};
      }
    }
    order_.sort(out);
    return out;
  }

  /// The last place of a computation before which a block may go.
  std::size_t latest(const std::vector<id>& block, hlo_computation c) const {
    std::size_t last = c.instruction_count();
    for (const id i : block)
      for (const id next : rules_.after(i))
        if (!holds(block, next)) last = std::min(last, order_.place_of(next));
    return last;
  }
  /// The first place before which a block may go.
  std::size_t earliest(const std::vector<id>& block) const {
    std::size_t first = 0;
    for (const id i : block)
      for (const id before : rules_.before(i))
        if (!holds(block, before)) first = std::max(first, order_.place_of(before) + 1);
    return first;
  }

 private:
  const schedule_constraints& rules_;
  const instruction_order& order_;
};

}  // namespace hlolint::advise
