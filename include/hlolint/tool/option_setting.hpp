// Sets options of rules from text, as the configuration and --set have it.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/lint/option.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/suggestion.hpp>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hlolint {

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

/// Sets an option of a rule (named by id or name) from text. Returns an error, if any.
template <class... Checks>
std::optional<std::string> set_option(catalogue<Checks...>& list, std::string_view rule_word, std::string_view name,
                                      std::string_view text) {
  std::vector<std::string_view> rules, options;
  std::optional<std::string> wrong;
  bool rule_found = false, option_found = false;
  for_each_check(list, [&](const rule& about, auto& check) {
    rules.push_back(about.id), rules.push_back(about.name);
    if (about.id != rule_word && about.name != rule_word) return;
    rule_found = true;
    for_each_option(check, [&](const auto& entry, auto& value) {
      options.push_back(entry.name);
      if (entry.name != name) return;
      option_found = true;
      if (const auto expected = read_option(text, value))
        wrong = std::string(about.id) + ": option '" + std::string(name) + "' is " + *expected + ", not '" +
                std::string(text) + "'";
    });
  });
  if (!rule_found) return "unknown rule '" + std::string(rule_word) + "'" + did_you_mean(rule_word, rules);
  if (!option_found)
    return std::string(rule_word) + " has no option '" + std::string(name) + "'" + did_you_mean(name, options);
  return wrong;
}

}  // namespace hlolint
