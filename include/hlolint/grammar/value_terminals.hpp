// Tokens of attribute values and literals beyond those of terminals.hpp: numbers, lists of integers, enumerators
// (hlo_text.md 1, 7).
#pragma once

#include <hlolint/grammar/terminals.hpp>
#include <hlolint/text/say.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

namespace scan_value {

constexpr const char* digits(const char* p, const char* last) {
  while (p != last && scan::is(scan::digit_bytes, *p)) ++p;
  return p;
}

/// A number with a dot or an exponent, or an integer; no leading `+`, a leading `.` only after `-`.
constexpr const char* decimal(const char* p, const char* last) {
  const bool negative = p != last && *p == '-';
  if (negative) ++p;
  const char* const whole = p;
  p = digits(p, last);
  const bool any = p != whole;
  if (!any && !negative) return nullptr;
  if (p != last && *p == '.' && (any || (last - p > 1 && scan::is(scan::digit_bytes, p[1])))) {
    p = digits(p + 1, last);
  } else if (!any) {
    return nullptr;
  }
  if (p != last && (*p == 'e' || *p == 'E')) {
    const char* exponent = p + 1;
    if (exponent != last && (*exponent == '-' || *exponent == '+')) ++exponent;
    const char* const end = digits(exponent, last);
    if (end != exponent) return end;
  }
  return p;
}

/// `low_high` or `low_high_interior`; `window`: without an interior.
constexpr const char* padding_of_one(const char* p, const char* last, bool window) {
  p = scan::integer(p, last);
  if (!p || p == last || *p != '_') return nullptr;
  p = scan::integer(p + 1, last);
  if (!p || p == last || *p != '_') return p;
  const char* const interior = digits(p + 1, last);
  return window || interior == p + 1 ? nullptr : interior;
}
/// `one`, joined by `x`.
template <class One>
constexpr const char* by_x(const char* p, const char* last, One&& one) {
  for (;;) {
    p = one(p, last);
    if (!p || p == last || *p != 'x') return p;
    ++p;
  }
}
constexpr const char* padding(const char* p, const char* last) {
  return by_x(p, last, [](const char* a, const char* b) { return padding_of_one(a, b, false); });
}
constexpr const char* window_padding(const char* p, const char* last) {
  return by_x(p, last, [](const char* a, const char* b) { return padding_of_one(a, b, true); });
}
/// `3` or `3x3`
constexpr const char* extents(const char* p, const char* last) {
  return by_x(p, last, [](const char* a, const char* b) -> const char* {
    const char* const end = digits(a, b);
    return end == a ? nullptr : end;
  });
}
/// `b01f_01io->b01f`
constexpr const char* dim_labels(const char* p, const char* last) {
  const auto part = [&](char letter1, char letter2) {
    const char* const begin = p;
    while (p != last && (scan::is(scan::digit_bytes, *p) || *p == letter1 || *p == letter2 || *p == '?')) ++p;
    return p - begin >= 2;
  };
  if (!part('b', 'f') || p == last || *p != '_' || (++p, !part('i', 'o')) || last - p < 2 || p[0] != '-' || p[1] != '>')
    return nullptr;
  p += 2;
  return part('b', 'f') ? p : nullptr;
}
static_assert(scan::taken(decimal, "-1.5e+05,") == "-1.5e+05" && scan::taken(decimal, "1e") == "1");
static_assert(scan::taken(decimal, "-.5") == "-.5" && scan::taken(decimal, ".5").empty() &&
              scan::taken(decimal, "-.").empty());
static_assert(scan::taken(padding, "0_0_0x1_-2 x") == "0_0_0x1_-2" && scan::taken(window_padding, "0_0_0").empty());
static_assert(scan::taken(dim_labels, "b01f_01io->b01f, x") == "b01f_01io->b01f" &&
              scan::taken(dim_labels, "bf_io").empty());
static_assert(scan::taken(extents, "3x2}") == "3x2" && scan::taken(extents, "3x").empty());

}  // namespace scan_value

/// A terminal around a plain function `bool read(const char*& first, const char* last, parse_state&, Value* out)`,
/// where a null `out` means: check only. One function serves all rules; a member template would be compiled for each of
/// them.
template <auto Read>
struct value_parser;
template <class Value, bool (*Read)(const char*&, const char*, parse_state&, Value*)>
struct value_parser<Read> : x3::parser<value_parser<Read>> {
  using attribute_type = Value;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&,
             Attribute& attribute) const {
    if constexpr (std::is_same_v<Attribute, Value>) {
      return Read(first, last, state(context), std::addressof(attribute));
    } else {
      return Read(first, last, state(context), static_cast<Value*>(nullptr));
    }
  }
};

/// Takes one character, after blanks.
constexpr bool take(const char*& first, const char* last, char c) {
  const char* const p = scan::blanks(first, last);
  if (p == last || *p != c) return false;
  first = p + 1;
  return true;
}
inline bool take(const char*& first, const char* last, parse_state& s, char c, const char* expected) {
  if (take(first, last, c)) return true;
  s.fail(first, last, expected);
  return false;
}
/// What `text` a scan takes, after blanks.
template <class Scan>
bool take_text(const char*& first, const char* last, Scan&& scan_text, std::string_view& text) {
  const char* const begin = scan::blanks(first, last);
  const char* const end = scan_text(begin, last);
  if (!end) return false;
  text = view(begin, end);
  first = end;
  return true;
}
/// The name of `name=`.
inline bool take_key(const char*& first, const char* last, std::string_view& name) {
  if (!take_text(first, last, scan_name::attribute, name)) return false;
  ++first;
  return true;
}

/// A floating point token read: where it ends (null: there is none) and its value.
struct number_reading {
  const char* end = nullptr;
  double value = 0;
  std::uint64_t payload = 0;  ///< of `nan(0x...)`
  bool too_large = false;     ///< for a double
};

/// Reads `1`, `-1.5e3`, `inf`, `-inf`, `nan`, `-nan`, `nan(0x1)`.
inline number_reading read_number(const char* p, const char* last) {
  number_reading out;
  const bool negative = p != last && *p == '-';
  const char* const letters = p + negative;
  if (letters != last && (*letters == 'i' || *letters == 'n')) {
    const char* const end = negative ? letters + 3 : scan::identifier(letters, last);
    if (last - letters < 3 || end - letters != 3) return out;
    const std::string_view text = view(letters, end);
    if (text == "inf") {
      out.end = end;
      out.value = negative ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    } else if (text == "nan") {
      out.end = end;
      out.value = std::numeric_limits<double>::quiet_NaN();
      if (end != last && *end == '(') {
        out.end = nullptr;
        if (last - end < 4 || end[1] != '0' || end[2] != 'x') return out;
        const auto hex = std::from_chars(end + 3, last, out.payload, 16);
        if (hex.ec == std::errc{} && hex.ptr != last && *hex.ptr == ')' && out.payload > 0 &&
            out.payload < (1ull << 52))
          out.end = hex.ptr + 1;
      }
    }
    return out;
  }
  out.end = scan_value::decimal(p, last);
  if (!out.end) return out;
  if (std::from_chars(p, out.end, out.value).ec == std::errc::result_out_of_range) {
    // Too large or too small: compare the place of the first digit that counts with the exponent.
    const char* digit = p;
    std::int64_t place = 0;
    bool fraction = false;
    for (; digit != out.end && *digit != 'e' && *digit != 'E' && (*digit < '1' || *digit > '9'); ++digit) {
      if (*digit == '.')
        fraction = true;
      else if (fraction)
        --place;
    }
    for (const char* q = digit; !fraction && q != out.end && *q != 'e' && *q != 'E' && *q != '.'; ++q) ++place;
    const char* e = digit;
    while (e != out.end && *e != 'e' && *e != 'E') ++e;
    if (e != out.end) {
      const bool down = e[1] == '-';
      std::int64_t exponent = 0;
      if (std::from_chars(e + 1 + (down || e[1] == '+'), out.end, exponent).ec != std::errc{}) exponent = 1'000'000'000;
      place += down ? -exponent : exponent;
    }
    out.too_large = place > 0;
    out.value = 0;
  }
  return out;
}

/// A number; one too large for a double is a failure that says so.
inline bool read_real_number(const char*& first, const char* last, parse_state& s, double* out) {
  const char* const begin = scan::blanks(first, last);
  const number_reading read = read_number(begin, last);
  if (!read.end) return false;
  if (read.too_large) {
    s.fail(begin, last, "a number in the range of a double");
    return false;
  }
  if (out) *out = read.value;
  first = read.end;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_real_number> real_number{};
}

/// An integer of 32 bits; a larger one breaks a rule.
inline bool read_int32(const char*& first, const char* last, parse_state& s, std::int64_t* out) {
  const char* const begin = scan::blanks(first, last);
  std::int64_t value = 0;
  if (!take_integer(first, last, s, value)) return false;
  if (value != static_cast<std::int32_t>(value)) s.broke(begin, say({value, " does not fit in 32 bits"}));
  if (out) *out = value;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_int32> int32{};
}

/// Integers in brackets: `{1,2}`, `[0:4:2]`.
inline bool read_integers(const char*& first, const char* last, parse_state& s, std::vector<std::int64_t>* out,
                          char open, char close, char delimiter) {
  const char* p = first;
  if (!take(p, last, open)) return false;
  if (!take(p, last, close)) {
    do {
      std::int64_t value = 0;
      if (!take_integer(p, last, s, value)) {
        s.fail(p, last, "an integer");
        return false;
      }
      if (out) out->push_back(value);
    } while (take(p, last, delimiter));
    if (!take(p, last, s, close, "the next integer of the list or its end")) return false;
  }
  first = p;
  return true;
}
inline bool read_braced_integers(const char*& first, const char* last, parse_state& s, std::vector<std::int64_t>* out) {
  if (!out) {
    if (const char* const plain = scan::plain_integers(scan::blanks(first, last), last)) {
      first = plain;
      return true;
    }
  }
  return read_integers(first, last, s, out, '{', '}', ',');
}
inline bool read_bracketed_integers(const char*& first, const char* last, parse_state& s,
                                    std::vector<std::int64_t>* out) {
  return read_integers(first, last, s, out, '[', ']', ',');
}
inline bool read_parenthesized_integers(const char*& first, const char* last, parse_state& s,
                                        std::vector<std::int64_t>* out) {
  return read_integers(first, last, s, out, '(', ')', ',');
}
inline namespace tokens {
/// `{1,2}`, `[1,2]`, `(1,2)`
inline constexpr value_parser<&read_braced_integers> integers{};
inline constexpr value_parser<&read_bracketed_integers> bracketed_integers{};
inline constexpr value_parser<&read_parenthesized_integers> parenthesized_integers{};
}  // namespace tokens

/// `{1}` or `{0,1}`: a list of exactly N integers; another number of them breaks a rule.
template <std::size_t N>
bool read_exactly(const char*& first, const char* last, parse_state& s, std::array<std::int64_t, N>* out) {
  const char* const begin = scan::blanks(first, last);
  const char* p = begin;
  if (!take(p, last, '{')) return false;
  std::size_t count = 0;
  for (std::int64_t one = 0; take_integer(p, last, s, one);) {
    if (out && count < N) (*out)[count] = one;
    ++count;
    if (!take(p, last, ',')) break;
  }
  if (!take(p, last, s, '}', "an integer, ',' or '}'")) return false;
  if (count != N)
    s.broke(begin, say({"expected a list of ", N, N == 1 ? " integer, found " : " integers, found ", count}));
  first = p;
  return true;
}
template <std::size_t N>
inline constexpr value_parser<&read_exactly<N>> exactly{};

constexpr bool same_but_case(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

/// The number of a word in a list, or nothing.
inline bool take_word(const char*& first, const char* last, const std::string_view* words, std::size_t count,
                      bool case_counts, std::size_t& found) {
  const char* p = first;
  std::string_view text;
  if (!take_text(p, last, scan_name::bare, text)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    if (case_counts ? words[i] != text : !same_but_case(words[i], text)) continue;
    found = i;
    first = p;
    return true;
  }
  return false;
}
/// One of a list of words; the attribute is its number.
struct enumerator_parser : x3::parser<enumerator_parser> {
  using attribute_type = std::size_t;
  static constexpr bool has_attribute = true, handles_container = false;
  constexpr enumerator_parser(const std::string_view* first_word, std::size_t n, bool case_counts)
      : words(first_word), count(n), exact(case_counts) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    std::size_t found = 0;
    if (!take_word(first, last, words, count, exact, found)) return false;
    assign(found, attribute);
    return true;
  }
  const std::string_view* words;
  std::size_t count;
  bool exact;
};
template <std::size_t N>
constexpr enumerator_parser enumerator(const std::array<std::string_view, N>& words) {
  return {words.data(), N, true};
}
/// The same, where capitals and small letters are the same.
template <std::size_t N>
constexpr enumerator_parser enumerator_any_case(const std::array<std::string_view, N>& words) {
  return {words.data(), N, false};
}

}  // namespace hlolint::grammar
