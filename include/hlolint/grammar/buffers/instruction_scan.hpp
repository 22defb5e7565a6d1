// Finds the end of an HLO instruction that a dump of buffers quotes.
#pragma once

#include <hlolint/grammar/buffers/line_scan.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hlolint::scan::lines {

inline constexpr auto instruction_marks = bytes("\n\"\\()[]{}");
#if defined(__SSE2__)
/// The positions in 64 bytes of the characters that decide the end of an instruction, one bit for each byte.
struct instruction_bits {
  std::uint64_t quotes = 0, opening = 0, closing = 0;
  explicit instruction_bits(const char* p) {
    for (int k = 0; k < 4; ++k) {
      const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * k));
      const __m128i folded =
          _mm_or_si128(text, _mm_set1_epi8(0x20));  // maps [ and ] to { and }, and no other byte to these
      const auto is = [](__m128i v, char c) { return _mm_cmpeq_epi8(v, _mm_set1_epi8(c)); };
      const auto bits = [&](__m128i v) {
        return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(v))} << (16 * k);
      };
      quotes |= bits(is(text, '"'));
      opening |= bits(_mm_or_si128(is(text, '('), is(folded, '{')));
      closing |= bits(_mm_or_si128(is(text, ')'), is(folded, '}')));
    }
  }
};
/// How many bits are set. Without a processor instruction for it, the compiler's builtin is a slow call.
constexpr std::int64_t bit_count(std::uint64_t bits) {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  bits -= bits >> 1 & ones * 0x55;
  bits = (bits & ones * 0x33) + (bits >> 2 & ones * 0x33);
  return static_cast<std::int64_t>(((bits + (bits >> 4)) & ones * 0x0F) * ones >> 56);
}
static_assert(bit_count(0) == 0 && bit_count(~std::uint64_t{0}) == 64 && bit_count(0x8000'0100'0000'0003u) == 4);
/// The line end after an instruction that closes all its brackets and strings on its first line and has no escapes,
/// like nearly all instructions. Null for other instructions, and near the end of the text.
inline const char* one_line_instruction(const char* p, const char* last) {
  const char* const end = find(p, last, '\n');
  if (!end || find(p, end, '\\')) return nullptr;
  std::int64_t depth = 0;
  std::uint64_t inside = 0;  // all ones within a string
  for (; p < end; p += 64) {
    if (last - p < 64) return nullptr;
    const instruction_bits found(p);
    const std::uint64_t line = end - p < 64 ? (std::uint64_t{1} << (end - p)) - 1 : ~std::uint64_t{0};
    std::uint64_t outside = line & ~inside;
    if (std::uint64_t strings = found.quotes & line) {  // set bits from an opening quote up to its closing quote
      for (int shift = 1; shift < 64; shift *= 2) strings ^= strings << shift;
      strings ^= inside;
      outside = line & ~strings;
      inside = ~std::uint64_t{0} * (strings >> 63);
    }
    const std::uint64_t opening = found.opening & outside, closing = found.closing & outside, both = opening | closing;
    // The carry of the addition runs from each opening bracket to the next bracket.
    const std::uint64_t after = ((opening << 1) + ~both) & both;
    if (const std::int64_t closed = bit_count(closing & ~after); closed <= depth) {
      depth += bit_count(opening & after) + (opening > closing) - closed;
    } else {  // a bracket may close before it opens
      for (std::uint64_t left = both; left; left &= left - 1) {
        depth += opening & left & (~left + 1) ? 1 : -1;
        if (depth < 0) return nullptr;
      }
    }
  }
  return depth == 0 && !inside ? end : nullptr;
}
#endif
/// One instruction of HLO text, up to the end of its line. Goes on to a later line while brackets or strings are open,
/// as the configuration of a backend may hold line ends, but never beyond a landmark.
constexpr const char* instruction_text_by_bytes(const char* p, const char* last) {
  const char* const first = p;
  std::size_t depth = 0;
  bool in_string = false;
  for (;; ++p) {
    while (p != last && !is(instruction_marks, *p)) ++p;
    if (p == last) break;
    const char c = *p;
    if (c == '\n') {
      if (depth == 0 && !in_string) break;
      if (landmark(p + 1, last)) break;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (in_string) {
      if (c == '\\' && p + 1 != last && p[1] != '\n') ++p;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  const char* const end = trimmed(first, p);
  return end == first ? nullptr : end;
}
/// Like `instruction_by_bytes`, but reads 64 bytes at a time where it can.
[[gnu::noinline]] constexpr const char* instruction_text(const char* p, const char* last) {
#if defined(__SSE2__)
  if (!std::is_constant_evaluated())
    if (const char* line_end = one_line_instruction(p, last)) {
      line_end = trimmed(p, line_end);
      return line_end == p ? nullptr : line_end;
    }
#endif
  return instruction_text_by_bytes(p, last);
}

static_assert(taken(instruction_text, "%a = f32[] add(%b), c={\n  \"x\": 1}\n<3 b>") ==
              "%a = f32[] add(%b), c={\n  \"x\": 1}");
static_assert(taken(instruction_text, "%a = f32[] add(%b\n<3 b>") == "%a = f32[] add(%b");

}  // namespace hlolint::scan::lines
