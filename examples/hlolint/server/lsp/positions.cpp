#include "positions.hpp"

#include <algorithm>
#include <utility>

namespace hlolint::command::server::lsp {

namespace {

// Bytes of the character that begins with this byte; 1 for a byte that begins none.
std::size_t width_of(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t width = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  if (width > text.size()) return 1;
  for (std::size_t i = 1; i < width; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 1;
  return width;
}

std::size_t units_of_width(std::size_t width, encoding in) {
  return in == encoding::utf8 ? width : in == encoding::utf16 && width == 4 ? 2 : 1;
}

}  // namespace

std::string_view name_of(encoding of) {
  return of == encoding::utf8 ? "utf-8" : of == encoding::utf16 ? "utf-16" : "utf-32";
}

std::size_t units(std::string_view text, encoding in) {
  if (in == encoding::utf8) return text.size();
  std::size_t out = 0;
  while (!text.empty()) {
    const std::size_t width = width_of(text);
    out += units_of_width(width, in);
    text.remove_prefix(width);
  }
  return out;
}

position position_map::at(std::size_t offset) const {
  const hlolint::line_column place = text_.lines().at(offset);
  const std::string_view line = text_.lines().line(place.line);
  return {place.line - 1, units(line.substr(0, std::min(place.column - 1, line.size())), in_)};
}

std::size_t position_map::offset(const position& of) const {
  if (of.line >= text_.lines().lines()) return text_.text().size();
  std::string_view line = text_.lines().line(of.line + 1);
  auto out = static_cast<std::size_t>(line.data() - text_.text().data());
  for (std::size_t left = of.column; left > 0 && !line.empty();) {
    const std::size_t width = width_of(line), taken = units_of_width(width, in_);
    if (taken > left) break;  // in the middle of a character
    left -= taken, out += width;
    line.remove_prefix(width);
  }
  return out;
}

output position_map::json(std::size_t offset) const {
  const position place = at(offset);
  return {{"line", place.line}, {"character", place.column}};
}

output position_map::json(hlolint::span of) const { return {{"start", json(of.begin)}, {"end", json(of.end)}}; }

position position_of(const input& from) {
  const std::int64_t line = number_member(from, "line", -1), column = number_member(from, "character", -1);
  if (line < 0 || column < 0)
    throw request_failure{error_code::invalid_params, "a position has a line and a character"};
  return {static_cast<std::size_t>(line), static_cast<std::size_t>(column)};
}

}  // namespace hlolint::command::server::lsp
