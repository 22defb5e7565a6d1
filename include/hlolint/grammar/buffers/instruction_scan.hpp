// Finds the end of an HLO instruction that a dump of buffers quotes.
#pragma once

#include <hlolint/grammar/buffers/line_scan.hpp>
#include <hlolint/grammar/x3/marks.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hlolint::scan::lines {

inline constexpr auto instruction_marks = bytes("\n\"\\()[]{}<");
#if defined(__SSE2__)
/// How many bits are set. Without a processor instruction for it, the compiler's builtin is a slow call.
constexpr std::int64_t bit_count(std::uint64_t bits) {
  constexpr std::uint64_t ones = 0x0101010101010101u;
  bits -= bits >> 1 & ones * 0x55;
  bits = (bits & ones * 0x33) + (bits >> 2 & ones * 0x33);
  return static_cast<std::int64_t>(((bits + (bits >> 4)) & ones * 0x0F) * ones >> 56);
}
/// The line end after an instruction that closes all its brackets and strings on its first line and has no escapes,
/// like nearly all instructions. Null for other instructions, and near the end of the text.
inline const char* one_line_instruction(const char* p, const char* last) {
  const char* const end = find(p, last, '\n');
  if (!end || end == p || end[-1] == '>' || find(p, end, '\\')) return nullptr;
  std::int64_t depth = 0;
  std::uint64_t inside = 0;  // all ones within a string
  for (; p < end; p += 64) {
    if (last - p < 64) return nullptr;
    const block text(p);
    const std::uint64_t line = end - p < 64 ? (std::uint64_t{1} << (end - p)) - 1 : ~std::uint64_t{0};
    const std::uint64_t outside = line & ~strings(text.where_is('"') & line, inside);
    // Round ones, and square ones or braces, which one bit tells apart.
    const auto where_are = [&](char round, char brace) {
      return outside & text.where([=](__m128i part) {
        return _mm_or_si128(_mm_cmpeq_epi8(part, _mm_set1_epi8(round)),
                            _mm_cmpeq_epi8(_mm_or_si128(part, _mm_set1_epi8(0x20)), _mm_set1_epi8(brace)));
      });
    };
    const std::uint64_t opening = where_are('(', '{'), closing = where_are(')', '}'), both = opening | closing;
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
/// One instruction of HLO text, up to the end of its line or to the next value, `<12 name>`, in the same line. Goes on
/// to a later line while brackets or strings are open, as the configuration of a backend may hold line ends, but never
/// beyond a landmark.
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
    } else if (c == '<') {
      if (depth == 0 && !in_string && p + 1 != last && is(digit_bytes, p[1])) break;  // the next value
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
/// Like `instruction_text_by_bytes`, but reads 64 bytes at a time where it can.
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

}  // namespace hlolint::scan::lines
