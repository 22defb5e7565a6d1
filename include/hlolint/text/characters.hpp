// Classes and cases of characters, in any locale.
#pragma once

#include <string>
#include <string_view>

namespace hlolint {

/// `0` to `9`.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// An ASCII letter or a digit.
constexpr bool is_alphanumeric(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c); }
/// What names in HLO text consist of (hlo_text.md 1): letters, digits, `_`, `.` and `-`.
constexpr bool is_name_character(char c) { return is_alphanumeric(c) || c == '_' || c == '.' || c == '-'; }
/// A lower-case letter for an upper-case one; all else as it is.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
/// A text in lower case.
inline std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

}  // namespace hlolint
