// Disjoint sets with merging (union-find).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlolint {

/// Numbers 0 to n-1, each in a set of its own at first.
class disjoint_sets {
 public:
  /// Sets of one number each.
  explicit disjoint_sets(std::size_t n = 0) : parent_(n), size_(n, 1) {
    for (std::size_t i = 0; i < n; ++i) parent_[i] = static_cast<std::uint32_t>(i);
  }

  /// The representative of the set of `i`.
  std::size_t find(std::size_t i) const {
    while (parent_[i] != i) i = parent_[i];
    return i;
  }
  /// Merges the sets of two numbers. Nearly constant time.
  void merge(std::size_t a, std::size_t b) {
    a = find(a), b = find(b);
    if (a == b) return;
    if (size_[a] < size_[b]) std::swap(a, b);
    parent_[b] = static_cast<std::uint32_t>(a);
    size_[a] += size_[b];
  }
  /// Whether two numbers are in one set.
  bool same(std::size_t a, std::size_t b) const { return find(a) == find(b); }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> size_;
};

}  // namespace hlolint
