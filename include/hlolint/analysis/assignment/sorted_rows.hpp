// Sorted values in short rows, so that an insertion moves few of them.
// A row of bits that is set and tested by ranges, and a sort by bits.
#pragma once

#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint::detail {

/// Calls `f(word, mask of its bits in [first, last])` for each word until it returns true. Returns whether it did.
template <class F>
bool any_bit_word(std::size_t first, std::size_t last, F&& f) {
  for (std::size_t w = first / 64; w <= last / 64; ++w) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (w == first / 64) bits &= bits << first % 64;
    if (w == last / 64) bits &= ~std::uint64_t{0} >> (63 - last % 64);
    if (f(w, bits)) return true;
  }
  return false;
}

/// Grows as needed; bits are 0 until set.
class bit_row {
 public:
  /// Sets the bits from `first` to `last`, both inclusive.
  void set(std::size_t first, std::size_t last) {
    if (last / 64 >= words_.size()) words_.resize(last / 64 + 1);
    any_bit_word(first, last, [&](std::size_t w, std::uint64_t bits) {
      words_[w] |= bits;
      return false;
    });
  }
  bool test(std::size_t at) const { return at / 64 < words_.size() && (words_[at / 64] >> at % 64 & 1) != 0; }
  /// Whether any of the bits from `first` to `last` is set.
  bool any(std::size_t first, std::size_t last) const {
    return any_bit_word(
        first, last, [&](std::size_t w, std::uint64_t bits) { return w < words_.size() && (words_[w] & bits) != 0; });
  }

 private:
  record_list<std::uint64_t> words_;
};

/// Sorts distinct numbers below `end`.
inline void sort_numbers(record_list<std::uint32_t>& numbers, std::size_t end) {
  if (numbers.size() < end / 32) return sort_records(numbers);
  record_list<bool> there(end);
  for (const std::uint32_t n : numbers) there[n] = true;
  numbers.clear();
  for (std::uint32_t n = 0; n < end; ++n)
    if (there[n]) numbers.push_back(n);
}

/// Sorted by `<`; equal values keep the order of insertion.
template <class T>
class sorted_rows {
 public:
  using row = record_list<T>;
  /// A row, and a position in it before which a value stands.
  struct place {
    std::size_t row = 0, at = 0;
  };

  /// The rows in order, none of them empty.
  const record_list<row>& rows() const { return rows_; }
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
  void assign_sorted(const record_list<T>& values) {
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
  record_list<row> rows_;
  record_list<T> first_;  // of each row, side by side for the search
};

}  // namespace hlolint::detail
