// std::from_chars and std::to_chars of doubles, also for standard libraries that only have them for integers: libc++
// before 20, which Emscripten uses.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace hlolint {

namespace detail {

/// The length of the number that the text begins with; 0 if there is none.
inline std::size_t double_length(std::string_view text, bool with_exponent) {
  std::size_t at = text.starts_with('-');
  const auto is_in = [&](char first, char last) { return at < text.size() && text[at] >= first && text[at] <= last; };
  const auto is_letter = [&](char lower) { return at < text.size() && (text[at] | 0x20) == lower; };
  const auto skip_word = [&](std::string_view word) {
    const std::size_t begin = at;
    for (const char letter : word) {
      if (!is_letter(letter)) return at = begin, false;
      ++at;
    }
    return true;
  };
  if (skip_word("infinity") || skip_word("inf")) return at;
  if (skip_word("nan")) {
    const std::size_t end = at;
    if (!is_in('(', '(')) return end;
    ++at;
    while (is_in('0', '9') || is_in('a', 'z') || is_in('A', 'Z') || is_in('_', '_')) ++at;
    return is_in(')', ')') ? at + 1 : end;
  }
  const auto skip_digits = [&] {
    const std::size_t begin = at;
    while (is_in('0', '9')) ++at;
    return at - begin;
  };
  std::size_t count = skip_digits();
  if (is_in('.', '.')) ++at, count += skip_digits();
  if (count == 0) return 0;
  const std::size_t mantissa = at;
  if (!with_exponent || !is_letter('e')) return mantissa;
  ++at;
  if (is_in('+', '+') || is_in('-', '-')) ++at;
  return skip_digits() > 0 ? at : mantissa;
}

/// Uses the C library. Precondition: the decimal point of its locale is a point.
inline std::from_chars_result read_double(const char* first, const char* last, double& value, bool with_exponent) {
  const std::size_t length = double_length({first, static_cast<std::size_t>(last - first)}, with_exponent);
  if (length == 0) return {first, std::errc::invalid_argument};
  const std::string text(first, length);
  const double read = std::strtod(text.c_str(), nullptr);
  const std::string_view mantissa = std::string_view(text).substr(0, text.find_first_of("eE"));
  const bool is_zero = mantissa.find_first_of("123456789") == mantissa.npos;  // or a word such as `inf`
  constexpr double most = std::numeric_limits<double>::max();
  if (!is_zero && (read == 0 || read > most || read < -most)) return {first + length, std::errc::result_out_of_range};
  value = read;
  return {first + length, std::errc{}};
}

/// The fewest digits that are read back as the same number, with an exponent if that is shorter. Uses the C library.
inline std::string shortest_text(double value) {
  char digits[32];
  int precision = 0;
  const auto print = [&] {
    return static_cast<std::size_t>(std::snprintf(digits, sizeof digits, "%.*e", precision, value));
  };
  std::size_t size = print();
  while (precision < 16 && value == value && std::strtod(digits, nullptr) != value) ++precision, size = print();
  const std::string out(digits, size);
  const std::size_t e = out.find('e');
  if (e == out.npos) return out;
  const int exponent = std::atoi(out.c_str() + e + 1);
  if (exponent > 30) return out;
  char plain[64];
  const int fixed = std::snprintf(plain, sizeof plain, "%.*f", std::max(precision - exponent, 0), value);
  return static_cast<std::size_t>(fixed) <= size ? std::string(plain, static_cast<std::size_t>(fixed)) : out;
}

/// Copies the text if there is room.
inline std::to_chars_result write_text(char* first, char* last, std::string_view text) {
  if (static_cast<std::size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
  return {std::copy(text.begin(), text.end(), first), std::errc{}};
}

/// A number with `precision` significant digits, as `%.6g` prints it. Uses the C library.
inline std::to_chars_result write_double(char* first, char* last, double value, int precision) {
  char digits[64];
  const int size = std::snprintf(digits, sizeof digits, "%.*g", std::min(precision, 40), value);
  return write_text(first, last, {digits, static_cast<std::size_t>(size)});
}

}  // namespace detail

/// std::from_chars of a double.
inline std::from_chars_result double_from_chars(const char* first, const char* last, double& value,
                                                std::chars_format format = std::chars_format::general) {
#if defined(__cpp_lib_to_chars)
  return std::from_chars(first, last, value, format);
#else
  return detail::read_double(first, last, value, format != std::chars_format::fixed);
#endif
}

/// std::to_chars of a double: the fewest digits that are read back as the same number.
inline std::to_chars_result double_to_chars(char* first, char* last, double value) {
#if defined(__cpp_lib_to_chars)
  return std::to_chars(first, last, value);
#else
  return detail::write_text(first, last, detail::shortest_text(value));
#endif
}

/// std::to_chars of a double in its general format, with at most 40 significant digits.
inline std::to_chars_result double_to_chars(char* first, char* last, double value, int precision) {
#if defined(__cpp_lib_to_chars)
  return std::to_chars(first, last, value, std::chars_format::general, precision);
#else
  return detail::write_double(first, last, value, precision);
#endif
}

}  // namespace hlolint
