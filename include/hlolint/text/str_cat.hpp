// Builds a text from parts, out of line: messages are rare, and inlined code for them takes long to compile.
#pragma once

#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hlolint {

namespace detail {
/// A part of a text: a text or a number.
struct text_part {
  constexpr text_part(const char* words) : text(words) {}
  constexpr text_part(std::string_view words) : text(words) {}
  text_part(const std::string& words) : text(words) {}
  template <class Integer>
  requires std::is_integral_v<Integer>
  constexpr text_part(Integer n) : number(static_cast<std::int64_t>(n)) {}
  std::string_view text;
  std::optional<std::int64_t> number;
};
}  // namespace detail

/// Appends the parts to a text: `append_to(out, {"{index=", 2, "}"})`
[[gnu::noinline]] inline void append_to(std::string& out, std::initializer_list<detail::text_part> parts) {
  for (const detail::text_part& part : parts) {
    char digits[24];
    if (part.number)
      out.append(digits, std::to_chars(digits, digits + sizeof digits, *part.number).ptr);
    else
      out += part.text;
  }
}
/// `str_cat({"expected ", 2, " integers, found ", n})`
[[gnu::noinline, gnu::cold]] inline std::string str_cat(std::initializer_list<detail::text_part> parts) {
  std::string out;
  append_to(out, parts);
  return out;
}

}  // namespace hlolint
