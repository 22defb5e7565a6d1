// A row of bits that is set and tested by ranges, and a sort by bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlolint::detail {

/// Grows as needed; bits are 0 until set.
class bit_row {
 public:
  /// Sets the bits from `first` to `last`, both inclusive.
  void set(std::size_t first, std::size_t last) {
    if (last / 64 >= words_.size()) words_.resize(last / 64 + 1);
    for (std::size_t w = first / 64; w <= last / 64; ++w) words_[w] |= mask(w, first, last);
  }
  bool test(std::size_t at) const { return at / 64 < words_.size() && (words_[at / 64] >> at % 64 & 1) != 0; }
  /// Whether any of the bits from `first` to `last` is set.
  bool any(std::size_t first, std::size_t last) const {
    for (std::size_t w = first / 64; w <= last / 64 && w < words_.size(); ++w)
      if ((words_[w] & mask(w, first, last)) != 0) return true;
    return false;
  }

 private:
  /// The bits of a word from `first` to `last`, of which some are in it.
  static std::uint64_t mask(std::size_t word, std::size_t first, std::size_t last) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (word == first / 64) bits <<= first % 64;
    if (word == last / 64) bits &= ~std::uint64_t{0} >> (63 - last % 64);
    return bits;
  }

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
