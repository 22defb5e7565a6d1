// The height of what is stacked over each of a row of slots.
#pragma once

#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hlolint::detail {

/// Heights start at 0 and only grow. Both operations are O(log n); slots are given as [begin, end).
class skyline {
 public:
  explicit skyline(std::size_t slots) {
    while (leaves_ < slots) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
  }

  byte_count highest(std::size_t begin, std::size_t end) const { return highest(1, 0, leaves_, begin, end); }
  /// Raises all slots to `height` at least.
  void raise(std::size_t begin, std::size_t end, byte_count height) { raise(1, 0, leaves_, begin, end, height); }

 private:
  struct node {
    byte_count whole = 0;    // all slots are at least so high
    byte_count highest = 0;
  };

  byte_count highest(std::size_t at, std::size_t first, std::size_t count, std::size_t begin, std::size_t end) const {
    if (end <= first || first + count <= begin) return 0;
    if (begin <= first && first + count <= end) return nodes_[at].highest;
    return std::max({nodes_[at].whole, highest(2 * at, first, count / 2, begin, end),
                     highest(2 * at + 1, first + count / 2, count / 2, begin, end)});
  }
  void raise(std::size_t at, std::size_t first, std::size_t count, std::size_t begin, std::size_t end,
             byte_count height) {
    if (end <= first || first + count <= begin) return;
    node& n = nodes_[at];
    n.highest = std::max(n.highest, height);
    if (begin <= first && first + count <= end) {
      n.whole = std::max(n.whole, height);
      return;
    }
    raise(2 * at, first, count / 2, begin, end, height);
    raise(2 * at + 1, first + count / 2, count / 2, begin, end, height);
  }

  std::size_t leaves_ = 1;
  std::vector<node> nodes_;
};

}  // namespace hlolint::detail
