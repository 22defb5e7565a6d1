// The tokens that only queries have: words with `*`, literals, values of attributes (query.md 1).
#pragma once

#include <hlolint/grammar/hlo/bracket_scan.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/grammar/x3/tokens.hpp>

namespace hlolint::scan {

inline constexpr auto glob_start = bytes("*_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
inline constexpr auto glob_bytes = bytes("*_.-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
inline constexpr auto unit_bytes = bytes("%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
inline constexpr auto value_end = bytes(" \t\r\n,)|");

constexpr const char* run_of(const std::array<bool, 256>& table, const char* p, const char* last) {
  const char* const first = p;
  while (p != last && is(table, *p)) ++p;
  return p == first ? nullptr : p;
}

/// `all-*`: an opcode. Null for the key of an attribute.
constexpr const char* glob_word(const char* p, const char* last) {
  if (p == last || !is(glob_start, *p)) return nullptr;
  const char* const end = run_of(glob_bytes, p, last);
  const bool is_key = end != last && *end == '=' && (end + 1 == last || end[1] != '=');
  return is_key ? nullptr : end;
}
/// `fusion.*`, `0.1`: a name after `%`, or text without quotes.
constexpr const char* glob_name(const char* p, const char* last) { return run_of(glob_bytes, p, last); }
constexpr const char* unit(const char* p, const char* last) { return run_of(unit_bytes, p, last); }

/// The value of an attribute, up to a blank, comma, bar or closing bracket outside brackets and strings.
constexpr const char* attribute_value(const char* p, const char* last) {
  const char* const first = p;
  std::size_t depth = 0;
  while (p != last && (depth != 0 || !is(value_end, *p))) {
    if (*p == '"') {
      p = string(p, last);
      if (!p) return nullptr;
      continue;
    }
    if (*p == '{' || *p == '[' || *p == '(') ++depth;
    if (*p == '}' || *p == ']' || *p == ')') {
      if (depth == 0) break;
      --depth;
    }
    ++p;
  }
  return p == first || depth != 0 ? nullptr : p;
}
/// The text in the parentheses of a constant, a parameter or a custom call, if it is not an operand.
constexpr const char* literal_argument(const char* p, const char* last) {
  constexpr auto begins = bytes("-0123456789{\"");
  if (p == last) return nullptr;
  const char* const end = is(begins, *p) ? balanced(p, last) : identifier(p, last);
  if (!end) return nullptr;
  const std::string_view word(p, static_cast<std::size_t>(end - p));
  const bool is_word = word == "true" || word == "false" || word == "nan" || word == "inf";
  return is(begins, *p) || is_word ? end : nullptr;
}

}  // namespace hlolint::scan

namespace hlolint::grammar {

inline constexpr token<&scan::glob_word> glob_word{};
inline constexpr token<&scan::glob_name, false> glob_name{};
inline constexpr token<&scan::attribute_value> attribute_value{};
inline constexpr token<&scan::literal_argument> literal_argument{};
inline constexpr token<&scan::decimal> decimal_digits{};
inline constexpr token<&scan::unit, false> unit{};

}  // namespace hlolint::grammar
