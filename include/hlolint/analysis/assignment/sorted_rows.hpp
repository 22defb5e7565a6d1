// Sorted values in short rows, so that an insertion moves few of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// Sorted by `<`; equal values keep the order of insertion.
template <class T>
class sorted_rows {
 public:
  using row = std::vector<T>;
  /// A row, and a position in it before which a value stands.
  struct place {
    std::size_t row = 0, at = 0;
  };

  /// The rows in order, none of them empty.
  const std::vector<row>& rows() const { return rows_; }
  /// The place after all values not greater than `t`. O(log n).
  place after(const T& t) const {
    const auto next = std::upper_bound(first_.begin(), first_.end(), t);
    if (next == first_.begin()) return {};
    const auto in = static_cast<std::size_t>(next - first_.begin()) - 1;
    const auto at = std::upper_bound(rows_[in].begin(), rows_[in].end(), t);
    return {in, static_cast<std::size_t>(at - rows_[in].begin())};
  }
  /// The value before a place, which moves to it; null if there is none.
  const T* step_back(place& p) const {
    if (p.at == 0) {
      if (p.row == 0) return nullptr;
      p = {p.row - 1, rows_[p.row - 1].size()};
    }
    return &rows_[p.row][--p.at];
  }
  /// The value at a place set by `step_back`. Changes must not affect its order.
  T& operator[](place p) { return rows_[p.row][p.at]; }

  /// Fills an empty list. Precondition: the values are sorted.
  void assign_sorted(const std::vector<T>& values) {
    for (std::size_t k = 0; k < values.size(); k += most / 2) {
      first_.push_back(values[k]);
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k);
      rows_.emplace_back().reserve(most);
      rows_.back().assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(most / 2, values.size() - k)));
    }
  }
  /// Precondition: `at` is `after(t)`.
  void insert(place at, const T& t) {
    if (rows_.empty()) {
      rows_.push_back({t});
      first_.push_back(t);
      return;
    }
    row& in = rows_[at.row];
    in.insert(in.begin() + static_cast<std::ptrdiff_t>(at.at), t);
    if (at.at == 0) first_[at.row] = t;
    if (in.size() < most) return;
    row right(in.begin() + most / 2, in.end());
    in.resize(most / 2);
    const auto next = static_cast<std::ptrdiff_t>(at.row) + 1;
    first_.insert(first_.begin() + next, right.front());
    rows_.insert(rows_.begin() + next, std::move(right));
  }

 private:
  static constexpr std::size_t most = 64;
  std::vector<row> rows_;
  std::vector<T> first_;  // of each row, side by side for the search
};

}  // namespace hlolint::detail
