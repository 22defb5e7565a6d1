// A random walk over legal orders, for orders that a search by single improving moves does not reach, followed by a
// return to the order of the text as far as the savings allow (advise.md 5).
#pragma once

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/tool/advise/block_mover.hpp>
#include <hlolint/tool/advise/edited_module.hpp>
#include <hlolint/tool/advise/instruction_order.hpp>
#include <hlolint/tool/advise/memory_moves.hpp>
#include <hlolint/tool/advise/schedule_constraints.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace hlolint::advise {

/// Threshold accepting: moves single instructions to random legal places and accepts an order that needs only a little
/// more than the one before, with a threshold that falls to zero. The random numbers are always the same. The
/// assignment of buffers in an order decides.
class order_walk {
 public:
  /// Preconditions: both arguments outlive the object, and the state is complete.
  order_walk(const edited_module& now, const memory_moves& moves) : now_(now), rules_(*now.rules) {
    for (const hlo_instruction i : now.module().instructions())
      if (!rules_.is_fixed(i.id()) && moves.is_editable(i.computation())) movable_.push_back(i.id());
  }

  /// The number of instructions that can move.
  std::size_t movable() const { return movable_.size(); }
  /// The number of orders evaluated.
  std::size_t evaluations() const { return evaluations_; }

  /// Moves, each legal after those before it, to an order that needs at most `enough`, or else the least that the walk
  /// found; few moves that keep 99 % of the savings. Empty if the walk found nothing.
  std::vector<block_move> moves_to_less(byte_count enough, std::size_t most) {
    std::optional<instruction_order> least = walk(enough, most);
    if (!least) return {};
    const byte_count goal = least_ + (now_.need - least_) / 100;
    for (int pass = 0; pass < 8; ++pass)
      if (!lead_back(*least, goal)) break;
    return moves_between(*least);
  }

 private:
  byte_count need(const instruction_order& order, byte_count limit) {
    ++evaluations_;
    if (const byte_count bound = now_.made->bound(order.ids()).need; bound > limit) return bound;
    return now_.made->plan(order.ids()).need;
  }
  // The first and the last place before which an instruction may go.
  std::pair<std::size_t, std::size_t> places_of(id i, const instruction_order& order) const {
    const block_mover mover(rules_, order);
    return {mover.earliest({i}), mover.latest({i}, now_.module().instruction(i).computation())};
  }

  std::optional<instruction_order> walk(byte_count enough, std::size_t most) {
    std::optional<instruction_order> out;
    least_ = now_.need;
    if (movable_.size() < 2) return out;
    std::mt19937_64 random(29);
    const instruction_order start(now_.module());
    constexpr std::size_t rounds = 2;
    for (std::size_t round = 0; round < rounds && least_ > enough; ++round) {
      instruction_order order = start;
      byte_count here = now_.need;
      for (std::size_t k = 0; k < most / rounds && least_ > enough; ++k) {
        const id i = movable_[random() % movable_.size()];
        const auto [low, high] = places_of(i, order);
        const std::size_t to = low + random() % (high - low + 1), at = order.place_of(i);
        if (to == at || to == at + 1) continue;
        instruction_order next = order;
        next.apply({{i}, to});
        const double left = 1 - static_cast<double>(k) / static_cast<double>(most / rounds);
        const auto slack = static_cast<byte_count>(0.02 * left * left * static_cast<double>(now_.need));
        const byte_count bytes = need(next, here + slack);
        if (bytes > here + slack) continue;
        order = std::move(next), here = bytes;
        if (here < least_) least_ = here, out = order;
      }
    }
    return out;
  }

  // Moves instructions back to their places in the text, one by one; returns whether one could be moved.
  bool lead_back(instruction_order& order, byte_count goal) {
    bool any = false;
    for (const id i : displaced(order)) {
      const auto [low, high] = places_of(i, order);
      const std::size_t to = std::clamp(own_place(i, order), low, high), at = order.place_of(i);
      if (to == at || to == at + 1) continue;
      instruction_order next = order;
      next.apply({{i}, to});
      if (need(next, goal) > goal) continue;
      order = std::move(next), any = true;
    }
    return any;
  }
  // The place before which an instruction has the same order as in the text to as many others as possible.
  std::size_t own_place(id i, const instruction_order& order) const {
    const hlo_computation c = now_.module().instruction(i).computation();
    std::int64_t right = 0, most = 0;
    std::size_t best = 0;
    for (std::size_t p = 0; p < c.instruction_count(); ++p) {
      const id other = order.at(c, p);
      if (other != i) right += other < i ? 1 : -1;
      if (right > most) most = right, best = p + 1;
    }
    return best;
  }
  // The fewest instructions to move so that all others are in the order of the text, by place.
  std::vector<id> displaced(const instruction_order& order) const {
    std::vector<id> out;
    for (const hlo_computation c : now_.module().computations()) {
      // The instructions of the longest ascending sequence of ids stay.
      const std::size_t n = c.instruction_count();
      std::vector<std::size_t> ends, before(n, n);
      for (std::size_t p = 0; p < n; ++p) {
        const id i = order.at(c, p);
        const auto at = std::lower_bound(ends.begin(), ends.end(), i,
                                         [&](std::size_t q, id value) { return order.at(c, q) < value; });
        if (at != ends.begin()) before[p] = *(at - 1);
        if (at == ends.end())
          ends.push_back(p);
        else
          *at = p;
      }
      std::vector<bool> stays(n);
      for (std::size_t p = ends.empty() ? n : ends.back(); p < n; p = before[p]) stays[p] = true;
      for (std::size_t p = 0; p < n; ++p)
        if (!stays[p]) out.push_back(order.at(c, p));
    }
    return out;
  }

  // Moves from the order of the text to `end`: joins neighbors at the end into blocks, and always moves the block that
  // leads to the least need.
  std::vector<block_move> moves_between(const instruction_order& end) {
    std::vector<std::vector<id>> blocks;
    for (const id i : displaced(end)) {
      const bool joins = !blocks.empty() && are_neighbors(blocks.back().back(), i, end);
      if (!joins) blocks.emplace_back();
      blocks.back().push_back(i);
    }
    std::vector<block_move> out;
    instruction_order now(now_.module());
    while (!blocks.empty()) {
      std::optional<block_move> chosen;
      std::size_t number = 0;
      byte_count least = 0;
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        const block_move move = move_to_end(blocks[k], blocks, now, end);
        instruction_order next = now;
        next.apply(move);
        if (!is_legal(next, rules_)) continue;
        const byte_count bytes = need(next, std::numeric_limits<byte_count>::max());
        if (!chosen || bytes < least) chosen = move, number = k, least = bytes;
      }
      if (chosen) {
        now.apply(*chosen);
        out.push_back(std::move(*chosen));
        blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(number));
        continue;
      }
      // No block can be moved as a whole, but single instructions always can.
      std::vector<std::vector<id>> single;
      for (const std::vector<id>& block : blocks)
        for (const id i : block) single.push_back({i});
      if (single.size() == blocks.size()) return {};
      blocks = std::move(single);
    }
    return out;
  }
  bool are_neighbors(id a, id b, const instruction_order& order) const {
    return now_.module().instruction(a).computation() == now_.module().instruction(b).computation() &&
           order.place_of(b) == order.place_of(a) + 1;
  }
  // Moves a block before the first instruction that follows it at the end and has been moved already.
  block_move move_to_end(const std::vector<id>& block, const std::vector<std::vector<id>>& open,
                         const instruction_order& now, const instruction_order& end) const {
    const hlo_computation c = now_.module().instruction(block.front()).computation();
    const auto is_open = [&](id i) {
      return std::any_of(open.begin(), open.end(), [&](const std::vector<id>& b) { return holds(b, i); });
    };
    std::size_t p = end.place_of(block.back()) + 1;
    while (p < c.instruction_count() && is_open(end.at(c, p))) ++p;
    return {block, p < c.instruction_count() ? now.place_of(end.at(c, p)) : c.instruction_count()};
  }

  const edited_module& now_;
  const schedule_constraints& rules_;
  std::vector<id> movable_;
  byte_count least_ = 0;  // the least need found
  std::size_t evaluations_ = 0;
};

}  // namespace hlolint::advise
