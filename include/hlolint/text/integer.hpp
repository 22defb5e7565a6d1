// From text to integers, outside the grammars (their tokens are in grammar/x3/scan.hpp).
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace hlolint {

/// The integer that a text begins with; nothing if it begins with none, or with one that does not fit.
template <class Integer = std::int64_t>
std::optional<Integer> leading_integer(std::string_view text) {
  Integer out = 0;
  return std::from_chars(text.data(), text.data() + text.size(), out).ec == std::errc{} ? std::optional(out)
                                                                                        : std::nullopt;
}

/// The whole text as an integer; nothing for other texts and numbers that do not fit. No blanks, no `+`.
template <class Integer = std::int64_t>
std::optional<Integer> integer_in(std::string_view text, int base = 10) {
  Integer out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

}  // namespace hlolint
