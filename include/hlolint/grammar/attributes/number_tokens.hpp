// Floating point numbers as texts write them, with infinities and payloads of not-a-number (hlo_text.md 1, 6).
#pragma once

#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/text/double_chars.hpp>

#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

namespace hlolint::grammar {

/// A number as it is written, not yet converted: `1`, `-1.5e3`, `inf`, `-nan`, `nan(0x1)`.
struct number_text {
  enum class kind : std::uint8_t { integer, decimal, infinity, not_a_number };
  std::string_view text;
  kind written = kind::integer;
  bool negative = false;
  std::uint64_t payload = 0;  ///< of `nan(0x1)`, 1 to 2^52-1
};
/// A number as a double. `too_large`: it is finite, but beyond every double.
struct number_value {
  double value = 0;
  bool too_large = false;
};

}  // namespace hlolint::grammar

namespace hlolint::scan {

constexpr const char* number(const char* p, const char* last, grammar::number_text& out) {
  using enum grammar::number_text::kind;
  const char* const begin = p;
  const auto taken_to = [&](const char* end) {
    out.text = view(begin, end);
    return end;
  };
  out.negative = p != last && *p == '-';
  p += out.negative;
  if (p != last && is(name_start, *p)) {
    const char* const end = out.negative ? (last - p < 3 ? nullptr : p + 3) : identifier(p, last);
    const std::string_view name = end ? view(p, end) : std::string_view{};
    if (name == "inf") return out.written = infinity, taken_to(end);
    if (name != "nan") return nullptr;
    out.written = not_a_number;
    if (end == last || *end != '(') return taken_to(end);
    if (last - end < 4 || end[1] != '0' || end[2] != 'x') return nullptr;
    const char* digit = end + 3;
    for (; digit != last && is(hex_bytes, *digit); ++digit) {
      if (out.payload >> 48 != 0) return nullptr;
      out.payload =
          out.payload * 16 + static_cast<std::uint64_t>(*digit <= '9' ? *digit - '0' : (*digit | 0x20) - 'a' + 10);
    }
    return digit == last || *digit != ')' || out.payload == 0 ? nullptr : taken_to(digit + 1);
  }
  const char* const end = scan::decimal(begin, last);
  if (!end) return nullptr;
  out.written =
      scan::integer(begin, last) == end ? grammar::number_text::kind::integer : grammar::number_text::kind::decimal;
  return taken_to(end);
}

/// The decimal place of the first digit that is not 0, with the exponent: above 0 for a number of at least 1.
constexpr std::int64_t magnitude(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t dot = mantissa.find('.'), digit = mantissa.find_first_of("123456789");
  std::int64_t place = 0;
  if (digit != mantissa.npos) {
    const auto whole = static_cast<std::int64_t>(dot == mantissa.npos ? mantissa.size() : dot);
    place = whole - static_cast<std::int64_t>(digit) + (static_cast<std::int64_t>(digit) > whole);
  }
  if (e == text.npos) return place;
  const std::string_view exponent = text.substr(e + 1);
  const bool down = exponent[0] == '-';
  std::uint64_t value = 0;
  const char* const first = exponent.data() + (down || exponent[0] == '+');
  if (!whole_number(first, exponent.data() + exponent.size(), value) || value > 1'000'000'000) value = 1'000'000'000;
  return place + (down ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value));
}

}  // namespace hlolint::scan

namespace hlolint::grammar {

inline number_value value_of_number(const number_text& n) {
  using enum number_text::kind;
  const double sign = n.negative ? -1 : 1;
  if (n.written == infinity) return {sign * std::numeric_limits<double>::infinity(), false};
  if (n.written == not_a_number) return {std::numeric_limits<double>::quiet_NaN(), false};
  number_value out;
  if (double_from_chars(n.text.data(), n.text.data() + n.text.size(), out.value).ec == std::errc::result_out_of_range)
    out = {0, scan::magnitude(n.text) > 0};  // too large or too small
  return out;
}

inline namespace tokens {
inline constexpr token<&scan::number> number{};
}

inline const char* double_number(const char* p, const char* last, double& value) {
  number_text written;
  const char* const end = scan::number(p, last, written);
  if (!end) return nullptr;
  const number_value read = value_of_number(written);
  value = read.value;
  return read.too_large ? nullptr : end;
}
/// A number as a double. One beyond every double is infinite, but infinity itself is none.
inline const char* finite_text(const char* p, const char* last, double& value) {
  number_text written;
  const char* const end = scan::number(p, last, written);
  if (!end || written.written == number_text::kind::infinity) return nullptr;
  const number_value read = value_of_number(written);
  constexpr double infinite = std::numeric_limits<double>::infinity();
  value = !read.too_large ? read.value : written.negative ? -infinite : infinite;
  return end;
}
inline namespace tokens {
/// What XLA takes as a statistic: `1e999` is infinite, but `inf` is not written.
inline constexpr token<&finite_text> statistic_number{};
/// A number as a double. One beyond every double fails with a message of its own.
inline constexpr auto real_number = rule<double>("real number") =
    token<&double_number>{} | &number >> must("a number in the range of a double")[token<&double_number>{}];
}  // namespace tokens

}  // namespace hlolint::grammar
