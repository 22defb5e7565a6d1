// Text from parts, out of line: messages are rare, and code for them takes long to compile.
#pragma once

#include <hlolint/text/optional.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace hlolint {

namespace detail {
/// A text or a number of a message.
struct text_part {
  constexpr text_part(const char* words) : text(words) {}
  constexpr text_part(std::string_view words) : text(words) {}
  text_part(const std::string& words) : text(words) {}
  template <class Integer>
  requires std::is_integral_v<Integer>
  constexpr text_part(Integer n) : number(static_cast<std::int64_t>(n)) {}
  std::string_view text;
  optional<std::int64_t> number;
};
}  // namespace detail

/// `str_cat({"expected ", 2, " integers, found ", n})`
[[gnu::noinline, gnu::cold]] inline std::string str_cat(std::initializer_list<detail::text_part> parts) {
  std::string out;
  for (const detail::text_part& part : parts) {
    if (part.number)
      out += std::to_string(*part.number);
    else
      out += part.text;
  }
  return out;
}

}  // namespace hlolint
