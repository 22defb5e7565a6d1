// A row of bits that is set and tested by ranges, and a sort by bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

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
  std::vector<std::uint64_t> words_;
};

/// Sorts distinct numbers below `end`.
inline void sort_numbers(std::vector<std::uint32_t>& numbers, std::size_t end) {
  if (numbers.size() < end / 32) return std::sort(numbers.begin(), numbers.end());
  std::vector<bool> there(end);
  for (const std::uint32_t n : numbers) there[n] = true;
  numbers.clear();
  for (std::uint32_t n = 0; n < end; ++n)
    if (there[n]) numbers.push_back(n);
}

}  // namespace hlolint::detail
