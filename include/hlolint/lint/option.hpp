// Options of checks: plain members, listed once beside them, which the command sets by name from text.
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/double_chars.hpp>

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
