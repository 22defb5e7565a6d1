// Equality of two pieces of HLO text in which blanks, comments and the `%` of names do not count.
#pragma once

#include <hlolint/text/characters.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint {

namespace detail {
constexpr bool word_byte(char c) { return is_name_character(c) || static_cast<unsigned char>(c) > 0x7f; }
constexpr std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const char c = text[at];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '%') {
      ++at;
    } else if (text.substr(at, 2) == "/*") {
      const std::size_t end = text.find("*/", at + 2);
      at = end == std::string_view::npos ? text.size() : end + 2;
    } else if (text.substr(at, 2) == "//") {
      const std::size_t end = text.find('\n', at);
      at = end == std::string_view::npos ? text.size() : end;
    } else {
      break;
    }
  }
  return at;
}
}  // namespace detail

/// Whether two texts have the same tokens. A blank only counts inside strings and between two words (`a b` is not
/// `ab`).
constexpr bool same_text(std::string_view a, std::string_view b) {
  if (a == b) return true;
  std::size_t i = detail::skip_blanks(a, 0), k = detail::skip_blanks(b, 0);
  while (i < a.size() && k < b.size()) {
    if (a[i] != b[k]) return false;
    if (a[i] == '"' || a[i] == '\'') {
      const char quote = a[i];
      do {
        if (a[i] == '\\' && i + 1 < a.size() && k + 1 < b.size()) {
          ++i, ++k;
          if (a[i] != b[k]) return false;
        }
        ++i, ++k;
        if (i >= a.size() || k >= b.size()) return i >= a.size() && k >= b.size();
        if (a[i] != b[k]) return false;
      } while (a[i] != quote);
    }
    const std::size_t next_i = detail::skip_blanks(a, i + 1), next_k = detail::skip_blanks(b, k + 1);
    if ((next_i == i + 1) != (next_k == k + 1) && detail::word_byte(a[i]) && next_i < a.size() &&
        detail::word_byte(a[next_i]))
      return false;
    i = next_i, k = next_k;
  }
  return i >= a.size() && k >= b.size();
}

}  // namespace hlolint
