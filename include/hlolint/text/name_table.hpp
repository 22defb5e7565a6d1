// From a word to its number in a fixed list of words, by a hash table that the compiler fills.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace hlolint {

namespace detail {

constexpr std::uint64_t load(const char* p, std::size_t n) {  // little endian, n <= 8
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < n; ++i) out |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i])) << (8 * i);
  return out;
}
constexpr std::uint64_t load8(const char* p) {
  if (std::is_constant_evaluated()) return load(p, 8);
  std::uint64_t out = 0;
  std::memcpy(&out, p, 8);
  return out;
}
constexpr std::uint64_t load4(const char* p) {
  if (std::is_constant_evaluated()) return load(p, 4);
  std::uint32_t out = 0;
  std::memcpy(&out, p, 4);
  return out;
}

/// Both ends of a text in two words. The bytes of a text of less than 16 overlap or are missing.
struct text_ends {
  std::uint64_t first = 0, last = 0;
};
[[gnu::always_inline]] constexpr text_ends ends_of(std::string_view text) {
  const char* const p = text.data();
  const std::size_t n = text.size();
  const auto byte = [p](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(p[i])}; };
  if (n >= 8) return {load8(p), load8(p + n - 8)};
  if (n >= 4) return {load4(p), load4(p + n - 4)};
  return {n > 0 ? byte(0) | byte(n / 2) << 8 | byte(n - 1) << 16 : 0, 0};
}

/// Equality of short texts, without a call.
[[gnu::always_inline]] constexpr bool same(std::string_view x, std::string_view y) {
  if (x.size() != y.size()) return false;
  const char *a = x.data(), *b = y.data();
  std::size_t n = x.size();
  if (n >= 8) {  // may compare the last bytes twice
    const char *const last_a = a + n - 8, *const last_b = b + n - 8;
    for (; n > 16; a += 16, b += 16, n -= 16)
      if ((load8(a) ^ load8(b)) | (load8(a + 8) ^ load8(b + 8))) return false;
    if (n > 8 && load8(a) != load8(b)) return false;
    return load8(last_a) == load8(last_b);
  }
  if (n >= 4) return load4(a) == load4(b) && load4(a + n - 4) == load4(b + n - 4);
  return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

/// The two halves of a product, combined.
constexpr std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// A hash of a whole text: sixteen bytes at a time, some of the last ones twice.
[[gnu::always_inline]] constexpr std::uint64_t hash(std::string_view text) {
  constexpr std::uint64_t k0 = 0x9E3779B97F4A7C15u, k1 = 0xC2B2AE3D27D4EB4Fu;
  const char* p = text.data();
  const std::size_t n = text.size();
  std::uint64_t h = n * 0xFF51AFD7ED558CCDu;
  for (std::size_t rest = n; rest > 16; rest -= 16, p += 16) h = fold(h ^ load8(p) ^ k0, load8(p + 8) ^ k1);
  const text_ends last = ends_of(n > 16 ? std::string_view(text.data() + n - 16, 16) : text);
  return fold(fold(h ^ last.first ^ k0, last.last ^ k1), k0);
}

}  // namespace detail

/// Finds the number of a word in `Names` with one hash and, for nearly all words, one comparison.
template <const auto& Names>
class name_table {
  static constexpr std::size_t count = Names.size();
  static constexpr unsigned bits = [] {
    unsigned b = 6;
    while ((std::size_t{1} << b) < 16 * count) ++b;
    return b;
  }();
  static constexpr std::size_t size = std::size_t{1} << bits;
  static constexpr std::size_t slot(std::string_view word) {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
    const detail::text_ends ends = detail::ends_of(word);
    const std::uint64_t both = (ends.first * odd) ^ (ends.last + word.size() * 0xC2B2AE3D27D4EB4Fu);
    return static_cast<std::size_t>((both * odd) >> (64 - bits));
  }
  /// For each slot one more than the number of the word in it; 0 if the slot is free.
  static constexpr auto slots = [] {
    std::array<std::int16_t, size> out{};
    for (std::size_t i = 0; i < count; ++i) {
      if (Names[i].empty()) continue;
      std::size_t at = slot(Names[i]);
      while (out[at] != 0) at = (at + 1) % size;
      out[at] = static_cast<std::int16_t>(i + 1);
    }
    return out;
  }();

 public:
  /// The position of `word` in `Names`, or -1.
  static constexpr int find(std::string_view word) {
    for (std::size_t at = slot(word); slots[at] != 0; at = (at + 1) % size) {
      const int found = slots[at] - 1;
      if (detail::same(Names[static_cast<std::size_t>(found)], word)) return found;
    }
    return -1;
  }
};

}  // namespace hlolint
