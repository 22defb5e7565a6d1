// A place in a line that is read in one go, and the tokens that nearly all such lines consist of.
#pragma once

#include <hlolint/grammar/x3/names.hpp>
#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/grammar/x3/state.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint::grammar::printed {

/// A place in a text. Each `take...` function goes past what it is named after, or returns false and stays in place.
struct place {
  const char* p;
  const char* last;

  std::size_t left() const { return static_cast<std::size_t>(last - p); }
  bool is(char c) const { return p != last && *p == c; }
  bool is_digit() const { return p != last && scan::is(scan::digit_bytes, *p); }
  bool take(char c) { return is(c) && (++p, true); }
  /// A short text: its bytes are compared one by one, without a call.
  template <std::size_t N>
  bool take(const char (&text)[N]) {
    if (left() < N - 1) return false;
    for (std::size_t i = 0; i != N - 1; ++i)
      if (p[i] != text[i]) return false;
    p += N - 1;
    return true;
  }
  /// One to `most` digits without a sign.
  bool take_digits(std::ptrdiff_t most = 18) {
    const char* end = p;
    while (end != last && scan::is(scan::digit_bytes, *end)) ++end;
    if (end == p || end - p > most) return false;
    p = end;
    return true;
  }
  bool take_number(std::int64_t& value) {
    const char* const digits = p;
    if (!take_digits()) return false;
    value = 0;
    for (const char* d = digits; d != p; ++d) value = value * 10 + (*d - '0');
    return true;
  }
  /// `true` or `false`, as a whole word.
  bool take_boolean() {
    place at = *this;
    if ((!at.take("true") && !at.take("false")) || at.p == last || scan::is(scan::name_bytes, *at.p)) return false;
    *this = at;
    return true;
  }
  bool take_string() {
    if (!is('"')) return false;
    const char* end = scan::find_either(p + 1, last, '"', '\\');
    if (end == last) return false;
    end = *end == '"' ? end + 1 : scan::string(p, last);
    return end && (p = end, true);
  }
  /// `/*index=5*/`
  void take_index_comment() {
    place at = *this;
    if (is('/') && at.take("/*index=") && at.take_digits() && at.take("*/")) *this = at;
  }
};

/// `%add.1` or `add.1`; the value is the name without the percent sign. Without that sign, a reserved word is not a
/// name, and neither is a word directly before a colon, an equals sign or a parenthesis.
[[gnu::always_inline]] inline bool take_name(place& at, std::string_view& name) {
  const bool percent = at.is('%');
  const char* const begin = at.p + percent;
  const char* const end = scan::identifier(begin, at.last);
  if (!end || end == at.last) return false;
  name = view(begin, end);
  if (!percent && (*end == ':' || *end == '=' || *end == '(' || is_reserved(name))) return false;
  at.p = end;
  return true;
}

}  // namespace hlolint::grammar::printed
