// The line of a place, cut to the width of a screen, with a mark under the place.
#pragma once

#include <hlolint/report/utf8.hpp>
#include <hlolint/text/source.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace hlolint::report {

/// A source line made for showing: `text` and, below it, `mark` (spaces, then `^~~~`). Each code point takes one
/// column, even tabs and bytes that are not UTF-8, so that the mark is below the place.
struct source_line {
  std::size_t number = 0;  ///< 1-based; 0 = there is no line to show
  std::string text;        ///< what is shown of it
  std::string mark;        ///< blanks up to the place, then `^~~~` below it
};

namespace detail {

/// The start of the code point that lies `count` code points before `at` (or the start of the line).
inline std::size_t step_back(std::string_view line, std::size_t at, std::size_t count) {
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80; };
  for (; count > 0 && at > 0; --count) {
    const std::size_t before = --at;
    while (at > 0 && before - at < 3 && continues(at)) --at;
    if (at + utf8_at(line, at).size <= before) at = before;  // not a code point: step over one byte
  }
  return at;
}

/// The number of code points in [from, to), at most `most`.
inline std::size_t count_units(std::string_view line, std::size_t from, std::size_t to, std::size_t most) {
  std::size_t count = 0;
  while (from < to && count < most) from += utf8_at(line, from).size, ++count;
  return count;
}

/// The end of `count` code points from `at` on (or the end of the line).
inline std::size_t step_forward(std::string_view line, std::size_t at, std::size_t count) {
  for (; count > 0 && at < line.size(); --count) at += utf8_at(line, at).size;
  return at;
}

}  // namespace detail

/// Lines of dumps may be many kilobytes long: at most `width` columns around the beginning of the place are shown, and
/// `...` stands for the rest. A place of several lines is marked to the end of its first line.
inline source_line show_line(const location& where, std::size_t width = 100) {
  const std::string_view whole = where.in.text();
  if (whole.empty() || where.at.begin > whole.size()) return {};
  width = std::max<std::size_t>(width, 8);
  const line_column begin = where.begin();
  const std::string_view line = where.in.lines().line(begin.line);
  const std::size_t from = std::min(begin.column - 1, line.size());
  const std::size_t to = std::max(from, std::min(from + where.at.size(), line.size()));

  const std::size_t ahead = detail::count_units(line, from, line.size(), width + 1);
  const std::size_t keep = std::max(width / 4, ahead < width ? width - ahead : 0);  // code points before the place
  const std::size_t first = detail::step_back(line, from, keep);
  const std::size_t lead = detail::count_units(line, first, from, width);
  const std::size_t last = detail::step_forward(line, first, width);

  constexpr std::string_view cut = "...";
  source_line out;
  out.number = begin.line;
  if (first > 0) out.text = cut;
  out.mark.assign(out.text.size() + lead, ' ');
  out.text += printable(line.substr(first, last - first));
  if (last < line.size()) out.text += cut;
  out.mark += '^';
  const std::size_t marked = detail::count_units(line, from, std::min(to, last), width);
  if (marked > 1) out.mark.append(marked - 1, '~');
  return out;
}

}  // namespace hlolint::report
