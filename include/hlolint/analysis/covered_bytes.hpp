// How many bytes a changing set of intervals covers.
#pragma once

#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// Intervals come and go; a byte under several counts once. All bounds are known beforehand. Each change is O(log n).
class covered_bytes {
 public:
  explicit covered_bytes(std::vector<byte_count> bounds) : bounds_(std::move(bounds)) {
    std::sort(bounds_.begin(), bounds_.end());
    bounds_.erase(std::unique(bounds_.begin(), bounds_.end()), bounds_.end());
    while (leaves_ + 1 < bounds_.size()) leaves_ *= 2;
    nodes_.resize(2 * leaves_);
  }

  /// `by` is 1 for an interval [begin, end) that comes and -1 for one that goes. Precondition: both are known bounds.
  void add(byte_count begin, byte_count end, int by) { add(1, 0, leaves_, index_of(begin), index_of(end), by); }

  byte_count bytes() const { return nodes_[1].covered; }

 private:
  struct node {
    std::int64_t whole = 0;  // intervals that cover all of it, and not all of its parent
    byte_count covered = 0;
  };

  std::size_t index_of(byte_count bound) const {
    return static_cast<std::size_t>(std::lower_bound(bounds_.begin(), bounds_.end(), bound) - bounds_.begin());
  }
  void add(std::size_t at, std::size_t first, std::size_t count, std::size_t begin, std::size_t end, int by) {
    if (end <= first || first + count <= begin) return;
    node& n = nodes_[at];
    if (begin <= first && first + count <= end) {
      n.whole += by;
    } else {
      add(2 * at, first, count / 2, begin, end, by);
      add(2 * at + 1, first + count / 2, count / 2, begin, end, by);
    }
    if (n.whole > 0)
      n.covered = bounds_[std::min(first + count, bounds_.size() - 1)] - bounds_[first];
    else
      n.covered = count == 1 ? 0 : nodes_[2 * at].covered + nodes_[2 * at + 1].covered;
  }

  std::vector<byte_count> bounds_;  // leaf i stands for the bytes from bound i to the next
  std::size_t leaves_ = 1;
  std::vector<node> nodes_;
};

}  // namespace hlolint::detail
