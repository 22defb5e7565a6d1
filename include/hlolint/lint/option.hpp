// Options of checks: plain members, listed once beside them, which can be set by name from text.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/double_chars.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace hlolint {

/// One entry of a check's `static constexpr auto options = std::tuple{option{"min-waste", &tile_padding::min_waste,
/// "..."}, ...};`. T is bool, int, double or byte_count (an int64 is always a number of bytes).
template <class Check, class T>
struct option {
  static_assert(std::is_same_v<T, bool> || std::is_same_v<T, int> || std::is_same_v<T, double> ||
                    std::is_same_v<T, byte_count>,
                "an option is a bool, an int, a double or a byte_count: the configuration sets no other type");
  std::string_view name;  ///< in configurations: `min-waste`
  T Check::*member;       ///< the member to set
  std::string_view help;  ///< description for `explain` and the manual
};
/// The option for a member.
template <class Check, class T>
option(std::string_view, T Check::*, std::string_view) -> option<Check, T>;
/// Deduces the types of an option with string literals.
template <class Check, class T>
option(const char*, T Check::*, const char*) -> option<Check, T>;

/// Reads `16MiB`, `1.5 GiB`, `4096`, `100B`; nothing for other texts and numbers beyond int64.
inline std::optional<byte_count> read_byte_count(std::string_view text) {
  double number = 0;
  std::int64_t whole = 0;
  const char* const end = text.data() + text.size();
  const auto exact = std::from_chars(text.data(), end, whole);
  const bool is_whole = exact.ec == std::errc{} && (exact.ptr == end || *exact.ptr != '.');
  const char* rest = exact.ptr;
  if (!is_whole) {
    const auto got = double_from_chars(text.data(), end, number, std::chars_format::fixed);
    if (got.ec != std::errc{}) return std::nullopt;
    rest = got.ptr;
  }
  while (rest != end && *rest == ' ') ++rest;
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int shift = unit.empty() ? 0 : -1;
  for (int i = 0; i < 7; ++i)
    if (units[i] == unit) shift = 10 * i;
  if (shift < 0) return std::nullopt;
  const std::int64_t factor = std::int64_t{1} << shift;
  if (is_whole) return checked_multiply(whole, factor);
  const double bytes = number * static_cast<double>(factor);
  if (!(bytes > -9.2e18 && bytes < 9.2e18)) return std::nullopt;
  return static_cast<byte_count>(bytes);
}

/// An option's value as text; whole numbers of KiB, MiB or GiB have these units.
inline std::string option_text(bool value) { return value ? "true" : "false"; }
/// An option's value as text; a `double` has enough digits to be read back exactly. @{
inline std::string option_text(int value) { return std::to_string(value); }
inline std::string option_text(byte_count value) {
  if (value == 0) return "0B";
  int unit = 0;
  while (unit < 3 && value % 1024 == 0) value /= 1024, ++unit;
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB"};
  return std::to_string(value) + units[unit];
}
inline std::string option_text(double value) {
  char digits[32];
  const auto end = double_to_chars(digits, digits + sizeof digits, value);
  return std::string(digits, end.ptr);
}
/// @}

/// Sets `value` from text. If the text is invalid, returns what was expected and leaves `value` unchanged.
inline std::optional<std::string> read_option(std::string_view text, bool& value) {
  if (text != "true" && text != "false") return "true or false";
  value = text == "true";
  return std::nullopt;
}
/// Sets a number of bytes from text, with or without a unit.
inline std::optional<std::string> read_option(std::string_view text, byte_count& value) {
  const auto bytes = read_byte_count(text);
  if (!bytes || *bytes < 0) return "a number of bytes such as 4096 or 16MiB";
  value = *bytes;
  return std::nullopt;
}
/// Sets a number from text.
template <class Number>
requires(std::is_same_v<Number, int> || std::is_same_v<Number, double>)  //
    std::optional<std::string> read_option(std::string_view text, Number& value) {
  Number number{};
  const char *const begin = text.data(), *const end = begin + text.size();
  std::from_chars_result got{};
  if constexpr (std::is_same_v<Number, double>)
    got = double_from_chars(begin, end, number);
  else
    got = std::from_chars(begin, end, number);
  if (got.ec != std::errc{} || got.ptr != end || !(number == number))
    return std::is_same_v<Number, int> ? "a whole number" : "a number";
  value = number;
  return std::nullopt;
}

/// Has `static constexpr auto options`, a tuple of `option`.
template <class Check>
concept has_options = requires {
  std::tuple_size<std::remove_cvref_t<decltype(Check::options)>>::value;
};

/// Calls `f(option, value)` for every option of a check (`option.name`, `option.help`; value: reference to the member).
template <class Check, class F>
constexpr void for_each_option(Check& check, F&& f) {
  if constexpr (has_options<std::remove_const_t<Check>>)
    std::apply([&](const auto&... each) { (f(each, check.*(each.member)), ...); }, std::remove_const_t<Check>::options);
}

}  // namespace hlolint
