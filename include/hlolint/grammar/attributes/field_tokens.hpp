// Tokens that only attribute values have (hlo_text.md 1, 7).
#pragma once

#include <hlolint/grammar/x3/tokens.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint::scan {

/// The three parts of dimension labels, `b01f_01io->b01f`.
struct label_parts {
  std::string_view input, kernel, output;
};
/// One part: at least two characters, each a digit, `?` or one of two letters.
constexpr const char* labels(const char* p, const char* last, char one, char two, std::string_view& value) {
  const char* const first = p;
  while (p != last && (is(digit_bytes, *p) || *p == one || *p == two || *p == '?')) ++p;
  value = {first, static_cast<std::size_t>(p - first)};
  return value.size() >= 2 ? p : nullptr;
}
constexpr const char* dim_labels(const char* p, const char* last, label_parts& value) {
  p = labels(p, last, 'b', 'f', value.input);
  if (!p || p == last || *p != '_') return nullptr;
  p = labels(p + 1, last, 'i', 'o', value.kernel);
  if (!p || last - p < 2 || p[0] != '-' || p[1] != '>') return nullptr;
  return labels(p + 2, last, 'b', 'f', value.output);
}

/// The value of an unknown field among fields that blanks separate: a string, something in brackets, or anything up to
/// a blank, a comma or a closing brace.
constexpr const char* field_value(const char* p, const char* last) {
  if (p == last) return nullptr;
  if (*p == '"' || *p == '\'') return string(p, last);
  const char* const first = p;
  const bool bracketed = *p == '{' || *p == '[' || *p == '(';
  for (std::size_t depth = 0; p != last; ++p) {
    if (*p == '"' && depth > 0) {
      p = string(p, last);
      if (!p) return nullptr;
      --p;
    } else if (bracketed && (*p == '{' || *p == '[' || *p == '(')) {
      ++depth;
    } else if (bracketed) {
      if ((*p == '}' || *p == ']' || *p == ')') && --depth == 0) return p + 1;
    } else if (static_cast<unsigned char>(*p) <= ' ' || *p == ',' || *p == '}') {
      break;
    }
  }
  return bracketed || p == first ? nullptr : p;
}

}  // namespace hlolint::scan

namespace hlolint::grammar {

inline namespace tokens {
inline constexpr token<&scan::field_value> field_value{};
}

}  // namespace hlolint::grammar
