// C escapes in quoted strings, both ways (hlo_text.md 1).
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

namespace detail {
inline void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18 & 7)), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)),
        put(0x80 | (code & 0x3F));
  }
}
}  // namespace detail

/// The text inside quotes, without its escapes. A text without quotes stays as it is; an invalid escape keeps its
/// backslash.
inline std::string unescape(std::string_view quoted) {
  const bool quotes =
      quoted.size() >= 2 && (quoted.front() == '"' || quoted.front() == '\'') && quoted.back() == quoted.front();
  const std::string_view text = quotes ? quoted.substr(1, quoted.size() - 2) : quoted;
  if (!quotes || text.find('\\') == std::string_view::npos) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i++];
      continue;
    }
    const char c = text[i + 1];
    constexpr std::string_view letters = "abfnrtv\\?'\"", meanings = "\a\b\f\n\r\t\v\\?'\"";
    std::size_t next = i + 2;
    // The number at `from`, of at most `most` digits.
    const auto number = [&](std::size_t from, std::size_t most, int base) {
      std::uint32_t value = 0;
      const std::size_t size = text.size() - from < most ? text.size() - from : most;
      const char* const begin = text.data() + from;
      next = from + static_cast<std::size_t>(std::from_chars(begin, begin + size, value, base).ptr - begin);
      return value;
    };
    if (const std::size_t letter = letters.find(c); letter != letters.npos)
      out += meanings[letter];
    else if (c == 'x' || c == 'X')
      out += static_cast<char>(number(i + 2, text.size(), 16));
    else if (c == 'u' || c == 'U')
      detail::append_utf8(out, number(i + 2, c == 'u' ? 4 : 8, 16));
    else if (c >= '0' && c <= '7')
      out += static_cast<char>(number(i + 1, 3, 8));
    else
      out += '\\', next = i + 1;
    i = next;
  }
  return out;
}

/// Escapes a text as XLA does, without quotes around it: `\n` `\r` `\t` `\"` `\'` `\\`, and in octal every byte that is
/// not printable ASCII.
inline std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    constexpr std::string_view escaped = "\n\r\t\"'\\", letters = "nrt\"'\\";
    const auto byte = static_cast<unsigned char>(c);
    if (const std::size_t at = escaped.find(c); at != escaped.npos) {
      out += {'\\', letters[at]};
    } else if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      out += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
              static_cast<char>('0' + (byte & 7))};
    }
  }
  return out;
}

}  // namespace hlolint
