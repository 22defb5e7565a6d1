// Where a token ends: plain constexpr functions over characters. Each takes a text [first, last) and returns the end of
// the token that begins there, or null if none does; some also store its value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace hlolint::grammar {

constexpr std::string_view view(const char* first, const char* last) {
  return {first, static_cast<std::size_t>(last - first)};
}

}  // namespace hlolint::grammar

namespace hlolint::scan {

using grammar::view;

/// A table of 256 flags: the bytes of `members`.
constexpr std::array<bool, 256> bytes(std::string_view members) {
  std::array<bool, 256> out{};
  for (const char c : members) out[static_cast<unsigned char>(c)] = true;
  return out;
}
inline constexpr auto name_bytes = bytes("_.-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
inline constexpr auto name_start = bytes("_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
inline constexpr auto digit_bytes = bytes("0123456789");
inline constexpr auto blank_bytes = bytes(" \n\t\r/");  ///< with the slash that begins a comment
inline constexpr auto hex_bytes = bytes("0123456789abcdefABCDEF");
inline constexpr auto octal_bytes = bytes("01234567");
inline constexpr auto escape_letters = bytes("abfnrtv\\?'\"");

constexpr bool is(const std::array<bool, 256>& table, char c) { return table[static_cast<unsigned char>(c)]; }

/// The end of the bytes for which `belongs` returns true; null if the first one is none.
template <class Belongs>
constexpr const char* run(const char* p, const char* last, Belongs&& belongs) {
  const char* const first = p;
  while (p != last && belongs(*p)) ++p;
  return p == first ? nullptr : p;
}

constexpr const char* find(const char* first, const char* last, char c) {  // memchr at run time
  return std::char_traits<char>::find(first, static_cast<std::size_t>(last - first), c);
}

/// The first byte that is not a blank, sixteen bytes at a time, since runs of blanks may be long.
constexpr const char* past_blanks(const char* p, const char* last) {
#if defined(__SSE2__)
  if (!std::is_constant_evaluated()) {
    for (; last - p >= 16; p += 16) {
      const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const auto equal = [&](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
      const __m128i all = _mm_or_si128(_mm_or_si128(equal(' '), equal('\n')), _mm_or_si128(equal('\t'), equal('\r')));
      const auto others = static_cast<unsigned>(~_mm_movemask_epi8(all)) & 0xFFFFu;
      if (others != 0) return p + __builtin_ctz(others);
    }
  }
#endif
  while (p != last && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) ++p;
  return p;
}

/// The loop of `blanks`, out of line because blanks come before every token. A comment that does not end is noted in
/// `open_comment` unless that is null: no comment after it ends either, so their ends are not searched for again.
[[gnu::noinline]] constexpr const char* blanks_and_comments(const char* p, const char* last,
                                                            const char** open_comment = nullptr) {
  for (; p != last; ++p) {
    const char c = *p;
    if (!is(blank_bytes, c)) return p;
    if (c == '\n' && last - p > 16 && (p[1] == '\n' || p[1] == '\r')) p = past_blanks(p, last) - 1;
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
    if (last - p < 2) return p;
    if (p[1] == '/') {
      p = find(p, last, '\n');
      if (!p) return last;
    } else if (p[1] == '*') {
      if (open_comment && *open_comment && p >= *open_comment) return last;
      const char* end = p + 2;
      do {
        end = find(end, last, '*');
        if (!end || end + 1 == last) {
          if (open_comment) *open_comment = p;
          return last;
        }
        ++end;
      } while (*end != '/');
      p = end;
    } else {
      return p;
    }
  }
  return p;
}

/// Blanks, line ends and both kinds of comment; never null. A comment that does not end runs to `last`.
constexpr const char* blanks(const char* p, const char* last) {
  if (p != last && *p == ' ') ++p;  // printers write one blank between tokens
  return p == last || !is(blank_bytes, *p) ? p : blanks_and_comments(p, last);
}

/// The first byte that no name holds.
constexpr const char* name_end(const char* p, const char* last) {
#if defined(__SSE2__)
  if (!std::is_constant_evaluated()) {
    // Sixteen bytes at a time: letters whatever their case, `-` to `9` but for the slash, and the underscore.
    for (; last - p >= 16; p += 16) {
      const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const auto within = [](__m128i v, char from, char to) {
        return _mm_and_si128(_mm_cmpgt_epi8(v, _mm_set1_epi8(static_cast<char>(from - 1))),
                             _mm_cmplt_epi8(v, _mm_set1_epi8(static_cast<char>(to + 1))));
      };
      const __m128i letters = within(_mm_or_si128(text, _mm_set1_epi8(0x20)), 'a', 'z');
      const __m128i digits = _mm_andnot_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('/')), within(text, '-', '9'));
      const __m128i all = _mm_or_si128(_mm_or_si128(letters, digits), _mm_cmpeq_epi8(text, _mm_set1_epi8('_')));
      const auto others = static_cast<unsigned>(~_mm_movemask_epi8(all)) & 0xFFFFu;
      if (others != 0) return p + __builtin_ctz(others);
    }
  }
#endif
  while (p != last && is(name_bytes, *p)) ++p;
  return p;
}

/// `letter {letter | digit | _ . -}`
constexpr const char* identifier(const char* p, const char* last) {
  return p == last || !is(name_start, *p) ? nullptr : name_end(p + 1, last);
}

/// `[-] digits`
constexpr const char* integer(const char* p, const char* last) {
  if (p != last && *p == '-') ++p;
  const char* const digits = p;
  for (; p != last && is(digit_bytes, *p); ++p) {
  }
  return p == digits ? nullptr : p;
}

/// Digits as an unsigned number of 64 bits; also null for a number that is too large.
constexpr const char* whole_number(const char* p, const char* last, std::uint64_t& value) {
  const char* const first = p;
  const auto digit = [&] { return static_cast<std::uint64_t>(static_cast<unsigned char>(*p)) - '0'; };
  value = 0;
  for (const char* const fits = last - p > 18 ? p + 18 : last; p != fits && digit() < 10; ++p)
    value = value * 10 + digit();
  for (constexpr std::uint64_t most = ~std::uint64_t{0}; p != last && digit() < 10; ++p) {
    if (value > (most - digit()) / 10) return nullptr;
    value = value * 10 + digit();
  }
  return p == first ? nullptr : p;
}
/// `[-] digits` as a signed number of 64 bits; 2^63 to 2^64-1 keep their bits, as in XLA.
constexpr const char* integer_value(const char* p, const char* last, std::int64_t& value) {
  const bool negative = p != last && *p == '-';
  std::uint64_t bits = 0;
  p = whole_number(p + negative, last, bits);
  if (!p || (negative && bits > std::uint64_t{1} << 63)) return nullptr;
  value = static_cast<std::int64_t>(negative ? 0 - bits : bits);
  return p;
}

/// Digits as a number of 63 bits.
constexpr const char* natural_value(const char* p, const char* last, std::int64_t& value) {
  std::uint64_t bits = 0;
  p = whole_number(p, last, bits);
  if (!p || bits >> 63 != 0) return nullptr;
  value = static_cast<std::int64_t>(bits);
  return p;
}

/// `-1.5e3`, `12`. A leading point needs a sign before it (`-.5`), and there is no leading `+`.
constexpr const char* decimal(const char* p, const char* last) {
  const auto digits = [&](const char* at) {
    while (at != last && is(digit_bytes, *at)) ++at;
    return at;
  };
  const bool negative = p != last && *p == '-';
  if (negative) ++p;
  const char* const whole = p;
  p = digits(p);
  const bool any = p != whole;
  if (!any && !negative) return nullptr;
  if (p != last && *p == '.' && (any || (last - p > 1 && is(digit_bytes, p[1])))) {
    p = digits(p + 1);
  } else if (!any) {
    return nullptr;
  }
  if (p != last && (*p == 'e' || *p == 'E')) {
    const char* exponent = p + 1;
    if (exponent != last && (*exponent == '-' || *exponent == '+')) ++exponent;
    const char* const end = digits(exponent);
    if (end != exponent) return end;
  }
  return p;
}

/// `ident` that is not an attribute name (`ident=`).
constexpr const char* word(const char* p, const char* last) {
  const char* const end = identifier(p, last);
  return end && (end == last || *end != '=') ? end : nullptr;
}
/// `ident=`: the value is the word without the equals sign.
constexpr const char* attribute_name(const char* p, const char* last, std::string_view& value) {
  const char* const end = identifier(p, last);
  if (!end || end == last || *end != '=') return nullptr;
  value = {p, static_cast<std::size_t>(end - p)};
  return end + 1;
}

/// The rest of a line and its end; null at the end of the text.
constexpr const char* line(const char* p, const char* last) {
  const char* const end = p == last ? nullptr : find(p, last, '\n');
  return p == last ? nullptr : end ? end + 1 : last;
}

/// The end of the escape whose backslash is at `p`, or null if it is not an escape (hlo_text.md 1).
constexpr const char* escape(const char* p, const char* last) {
  if (++p == last) return nullptr;
  const char* const kind = p;
  // The number of a byte or of a code point; a surrogate is none.
  const auto number = [&](const auto& digits, std::uint32_t base, int least, int most, std::uint32_t largest) {
    std::uint32_t value = 0;
    int n = 0;
    for (; n < most && p != last && is(digits, *p) && value <= largest; ++p, ++n)
      value = value * base + static_cast<std::uint32_t>(*p <= '9' ? *p - '0' : (*p | 0x20) - 'a' + 10);
    return n < least || value > largest || (0xD800 <= value && value <= 0xDFFF) ? nullptr : p;
  };
  if (is(escape_letters, *kind)) return p + 1;
  if (is(octal_bytes, *kind)) return number(octal_bytes, 8, 1, 3, 0xFF);
  ++p;
  if (*kind == 'x' || *kind == 'X') return number(hex_bytes, 16, 1, 64, 0xFF);
  return *kind == 'u'   ? number(hex_bytes, 16, 4, 4, 0xFFFF)
         : *kind == 'U' ? number(hex_bytes, 16, 8, 8, 0x10FFFF)
                        : nullptr;
}

/// The first place of either of two characters; `last` if there is none.
constexpr const char* find_either(const char* p, const char* last, char c, char d) {
#if defined(__SSE2__)
  if (!std::is_constant_evaluated()) {
    for (; last - p >= 16; p += 16) {
      const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
      const __m128i found =
          _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(c)), _mm_cmpeq_epi8(text, _mm_set1_epi8(d)));
      if (const int hits = _mm_movemask_epi8(found); hits != 0) return p + __builtin_ctz(static_cast<unsigned>(hits));
    }
  }
#endif
  while (p != last && *p != c && *p != d) ++p;
  return p;
}

/// A quoted string with its quotes; it may run over several lines.
constexpr const char* string(const char* p, const char* last) {
  if (p == last || (*p != '"' && *p != '\'')) return nullptr;
  const char quote = *p;
  for (++p;;) {
    p = find_either(p, last, quote, '\\');
    if (p == last) return nullptr;
    if (*p == quote) return p + 1;
    p = escape(p, last);
    if (!p) return nullptr;
  }
}

/// The text that a scan takes from the beginning of another; empty if it takes none. For tests.
constexpr std::string_view taken(const char* (*scan)(const char*, const char*), std::string_view text) {
  const char* const end = scan(text.data(), text.data() + text.size());
  return end ? text.substr(0, static_cast<std::size_t>(end - text.data())) : std::string_view{};
}

}  // namespace hlolint::scan
