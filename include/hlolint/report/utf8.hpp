// Reads UTF-8 so that no input can break an output: bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hlolint::report {

/// One code point of a text, or the bytes that should have been one.
struct utf8_unit {
  char32_t code_point = 0xFFFD;  ///< U+FFFD for bytes that are not UTF-8
  std::size_t size = 1;          ///< in bytes
  bool valid = false;            ///< whether the bytes are a code point
};

/// The unit at `at`. Broken sequences are divided as Unicode recommends (the longest correct beginning is one unit).
/// Precondition: `at` lies inside the text.
constexpr utf8_unit utf8_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  if (first < 0xC2 || first > 0xF4) return {};
  const std::size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t code_point = first & (0xFFu >> (size + 1));
  // The limits of the second byte rule out overlong forms, surrogates and code points above U+10FFFF.
  unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < size; ++i) {
    if (at + i >= text.size() || byte(i) < low || byte(i) > high) return {0xFFFD, i, false};
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
    low = 0x80, high = 0xBF;
  }
  return {code_point, size, true};
}

/// Whether a terminal would act on a code point instead of showing it: controls, and marks that change the direction of
/// text.
constexpr bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200E || c == 0x200F || c == 0x2028 || c == 0x2029 ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

/// The text for people: tabs and line ends become spaces, other controls and bytes that are not UTF-8 become U+FFFD.
/// Each code point becomes exactly one.
inline std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const auto is_plain = [&](std::size_t at) { return text[at] >= 0x20 && text[at] < 0x7F; };
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_plain(end)) ++end;
    out.append(text, at, end - at);
    at = end;
    if (at == text.size()) break;
    const utf8_unit unit = utf8_at(text, at);
    if (unit.code_point == '\t' || unit.code_point == '\n' || unit.code_point == '\r') {
      out += ' ';
    } else if (!unit.valid || is_control(unit.code_point)) {
      out += "\xEF\xBF\xBD";
    } else {
      out.append(text, at, unit.size);
    }
    at += unit.size;
  }
  return out;
}

}  // namespace hlolint::report
