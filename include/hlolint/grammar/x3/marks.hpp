// Marks such as quotes and brackets among 64 bytes of a text, one bit for each byte.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hlolint::scan {

#if defined(__SSE2__)
/// 64 bytes of a text.
class block {
 public:
  explicit block(const char* p) {
    for (int k = 0; k < 4; ++k) parts_[k] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * k));
  }
  /// The bytes for which `equal`, a comparison of 16 bytes with one, holds.
  template <class Equal>
  std::uint64_t where(Equal equal) const {
    std::uint64_t bits = 0;
    for (int k = 0; k < 4; ++k)
      bits |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(equal(parts_[k])))} << (16 * k);
    return bits;
  }
  std::uint64_t where_is(char c) const {
    return where([c](__m128i text) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); });
  }
  std::uint64_t where_either(char c, char d) const {
    return where([c, d](__m128i text) {
      return _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(c)), _mm_cmpeq_epi8(text, _mm_set1_epi8(d)));
    });
  }

 private:
  __m128i parts_[4];
};

/// The bytes from each opening quote up to its closing quote. `inside` is all ones if the block begins within a string;
/// afterwards it marks the next block.
inline std::uint64_t strings(std::uint64_t quotes, std::uint64_t& inside) {
  if (quotes == 0) return inside;
  for (int shift = 1; shift < 64; shift *= 2) quotes ^= quotes << shift;
  quotes ^= inside;
  inside = ~std::uint64_t{0} * (quotes >> 63);
  return quotes;
}
#endif

}  // namespace hlolint::scan
