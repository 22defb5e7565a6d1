// Places of findings in the forms that other programs expect.
#pragma once

#include <hlolint/report/utf8.hpp>
#include <hlolint/text/characters.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hlolint::report {

/// A place as editors and code hosts count it: lines and columns from 1, columns in code points, the end exclusive.
struct code_point_region {
  /// The first code point, 1-based. @{
  std::size_t start_line = 1, start_column = 1;
  /// @}
  /// One past the last code point, 1-based. @{
  std::size_t end_line = 1, end_column = 1;
  /// @}
  friend bool operator==(const code_point_region&, const code_point_region&) = default;
};

namespace detail {
inline std::size_t code_point_column(const source& text, line_column at) {
  const std::string_view line = text.lines().line(at.line);
  std::size_t column = 1;
  for (std::size_t byte = 0; byte + 1 < at.column && byte < line.size(); ++column) byte += utf8_at(line, byte).size;
  return column;
}
}  // namespace detail

/// Linear in the lines in which the place begins and ends.
inline code_point_region region_of(const location& where) {
  const line_column begin = where.begin(), end = where.end();
  return {begin.line, detail::code_point_column(where.in, begin), end.line, detail::code_point_column(where.in, end)};
}

/// The module, computation and instruction as one name: `jit_f/main/fusion.1`; unknown parts are left out.
inline std::string qualified_name(const diagnostic& found) {
  std::string out = found.module;
  for (const std::string& part : {found.computation, found.instruction})
    if (!part.empty()) out.append(out.empty() ? "" : "/").append(part);
  return out;
}

namespace detail {
/// A byte as in URIs: `%2F`.
inline std::string percent_code(char byte) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto bits = static_cast<unsigned char>(byte);
  return {'%', digits[bits >> 4], digits[bits & 15]};
}
}  // namespace detail

/// A path as a URI reference (RFC 3986): absolute ones as `file:///...`, others relative.
inline std::string uri_of(std::string_view path) {
  std::string out = path.substr(0, 1) == "/" ? "file://" : "";
  if (path.substr(0, 2) == "./") path.remove_prefix(2);
  constexpr std::string_view others = "/-._~!$&'()*+,;=@";
  for (const char c : path)
    out += is_alphanumeric(c) || others.find(c) != others.npos ? std::string(1, c) : detail::percent_code(c);
  return out;
}

}  // namespace hlolint::report
