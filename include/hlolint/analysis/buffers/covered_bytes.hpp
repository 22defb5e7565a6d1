// How many bytes a changing set of intervals covers.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint::detail {

/// Intervals come and go; a byte under several counts once. All bounds are known beforehand. Each change is O(log n).
class covered_bytes {
 public:
  explicit covered_bytes(record_list<byte_count> bounds) : bounds_(std::move(bounds)) {
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    while (leaves_ + 1 < bounds_.size()) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
  }

  /// The number of a known bound.
  std::size_t slot_of(byte_count bound) const {
    return static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), bound) - bounds_.begin());
  }
  /// `by` is 1 for an interval that comes and -1 for one that goes, from one known bound to another, given by number.
  void add(std::size_t begin, std::size_t end, int by) {
    if (begin >= end) return;
    std::size_t left = leaves_ + begin, right = leaves_ + end - 1;  // the lowest nodes, both inclusive
    std::size_t from = left, to = right + 1;                        // of a level, what is still to be covered
    for (std::size_t width = 1;; width *= 2) {
      if (from < to) {
        if (from % 2 != 0) change(from++, width, by);
        if (to % 2 != 0) change(--to, width, by);
        from /= 2, to /= 2;
      }
      if (left == 1) return;
      left /= 2, right /= 2;
      update(left, 2 * width);
      if (right != left) update(right, 2 * width);
    }
  }

  byte_count bytes() const { return nodes_[1].covered; }

 private:
  struct node {
    std::int64_t whole = 0;  // intervals that cover all of it, and not all of its parent
    byte_count covered = 0;
  };

  void change(std::size_t at, std::size_t width, int by) {
    nodes_[at].whole += by;
    update(at, width);
  }
  void update(std::size_t at, std::size_t width) {  // from its parts
    node& n = nodes_[at];
    if (n.whole > 0) {
      const std::size_t first = at * width - leaves_, last = std::min(first + width, bounds_.size() - 1);
      n.covered = bounds_[last] - bounds_[first];
    } else {
      n.covered = width == 1 ? 0 : nodes_[2 * at].covered + nodes_[2 * at + 1].covered;
    }
  }

  record_list<byte_count> bounds_;  // leaf i stands for the bytes from bound i to the next
  std::size_t leaves_ = 1;
  record_list<node> nodes_;  // two that have one parent lie together
};

}  // namespace hlolint::detail
