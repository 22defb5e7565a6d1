// Where the tokens of JSON end (RFC 8259).
#pragma once

#include <hlolint/grammar/x3/scan.hpp>

#include <string_view>

namespace hlolint::scan {

/// Blanks, before most tokens none; never null.
constexpr const char* json_blanks(const char* p, const char* last) {
  return p == last || *p > ' ' ? p : past_blanks(p, last);
}
/// A string with its quotes.
constexpr const char* json_string(const char* p, const char* last) {
  if (p == last || *p != '"') return nullptr;
  for (++p; p != last && *p != '"'; ++p)
    if (static_cast<unsigned char>(*p) < ' ' || (*p == '\\' && ++p == last)) return nullptr;
  return p == last ? nullptr : p + 1;
}
/// A number, `true`, `false` or `null`.
constexpr const char* json_scalar(const char* p, const char* last) {
  const char* q = p;
  while (q != last && *q >= 'a' && *q <= 'z') ++q;
  if (const std::string_view word(p, static_cast<std::size_t>(q - p));
      word == "true" || word == "false" || word == "null")
    return q;
  if (q != p) return nullptr;
  const auto digits = [&] {
    const char* const first = q;
    while (q != last && is(digit_bytes, *q)) ++q;
    return q != first;
  };
  if (q != last && *q == '-') ++q;
  if (q != last && *q == '0')
    ++q;
  else if (!digits())
    return nullptr;
  if (q != last && *q == '.' && (++q, !digits())) return nullptr;
  if (q != last && (*q == 'e' || *q == 'E')) {
    if (++q != last && (*q == '-' || *q == '+')) ++q;
    if (!digits()) return nullptr;
  }
  return q;
}

}  // namespace hlolint::scan
