// An order of the instructions of a module, and blocks of them that move within their computation.
#pragma once

#include <hlolint/ir/module.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

namespace hlolint::advise {

/// A block of instructions that moves as a whole.
struct block_move {
  std::vector<id> instructions;  ///< of one computation, in the order that they keep
  std::size_t to = 0;            ///< the place, in the present order of the computation, before which the block goes
  friend bool operator==(const block_move&, const block_move&) = default;
};

/// Whether a block holds an instruction. Linear.
inline bool holds(const std::vector<id>& block, id i) {
  return std::find(block.begin(), block.end(), i) != block.end();
}

/// The ids of all instructions of a module, computation by computation, those of each in the order in which they run.
class instruction_order {
 public:
  /// The order of the text.
  explicit instruction_order(const hlo_module& module)
      : module_(module), ids_(module.instruction_count()), place_(ids_.size()) {
    std::iota(ids_.begin(), ids_.end(), id{0});
    std::iota(place_.begin(), place_.end(), id{0});
  }

  /// All ids, as `flat_schedule` takes them.
  std::span<const id> ids() const { return ids_; }
  /// The place of an instruction in its computation, counted from 0.
  std::size_t place_of(id i) const { return place_[i] - first(module_.instruction(i).computation()); }
  /// The instruction at a place of a computation.
  id at(hlo_computation c, std::size_t place) const { return ids_[first(c) + place]; }

  /// Sorts instructions of one computation by place.
  void sort(std::vector<id>& block) const {
    std::stable_sort(block.begin(), block.end(), [&](id a, id b) { return place_[a] < place_[b]; });
  }
  /// Moves a block.
  void apply(const block_move& move) {
    const hlo_computation c = module_.instruction(move.instructions.front()).computation();
    const id begin = first(c);
    std::vector<id> rest;
    rest.reserve(c.instruction_count());
    // Only the places from the block to its new place change.
    std::size_t low = move.to, high = move.to;
    for (const id i : move.instructions) low = std::min(low, place_of(i)), high = std::max(high, place_of(i) + 1);
    for (std::size_t p = low; p < high; ++p) {
      if (p == move.to) rest.insert(rest.end(), move.instructions.begin(), move.instructions.end());
      if (const id i = ids_[begin + p]; !holds(move.instructions, i)) rest.push_back(i);
    }
    if (move.to == high) rest.insert(rest.end(), move.instructions.begin(), move.instructions.end());
    for (std::size_t p = low; p < high; ++p) {
      ids_[begin + p] = rest[p - low];
      place_[rest[p - low]] = begin + static_cast<id>(p);
    }
  }

 private:
  static id first(hlo_computation c) { return c.record().instructions.first; }

  hlo_module module_;
  std::vector<id> ids_;
  std::vector<id> place_;  // in ids_, by instruction
};

}  // namespace hlolint::advise
