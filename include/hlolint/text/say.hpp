// Messages put together from texts and numbers, out of line: messages are rare, and code for them is dear to compile.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hlolint {

namespace detail {
/// A text or a number of a message.
struct said {
  constexpr said(const char* words) : text(words) {}
  constexpr said(std::string_view words) : text(words) {}
  said(const std::string& words) : text(words) {}
  template <class Integer>
  requires std::is_integral_v<Integer>
  constexpr said(Integer n) : number(static_cast<std::int64_t>(n)) {}
  std::string_view text;
  std::optional<std::int64_t> number;
};
}  // namespace detail

/// `say({"expected ", 2, " integers, found ", n})`
[[gnu::noinline, gnu::cold]] inline std::string say(std::initializer_list<detail::said> parts) {
  std::string out;
  for (const detail::said& part : parts) {
    if (part.number)
      out += std::to_string(*part.number);
    else
      out += part.text;
  }
  return out;
}

}  // namespace hlolint
