// What views of a module write text and JSON with.
#pragma once

#include <hlolint/ir/target.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/text/bytes.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace hlolint::report {

/// `dump/m.txt: module jit_step (tpu)`, the path without its middle where a terminal of `width` columns has no room for
/// it beside the rest and the `verdict` behind it; 0: a terminal of any width.
inline std::string module_heading(std::string_view path, std::string_view name, target on, std::size_t width = 0,
                                  std::string_view verdict = {}) {
  const std::string rest = ": module " + (name.empty() ? std::string("without a name") : printable(name)) +
                           (on == target::unknown ? std::string() : " (" + std::string(name_of(on)) + ")") +
                           std::string(verdict);
  constexpr std::size_t least = 24;
  const std::size_t room = width - std::min(width, columns_of(rest));
  return (width == 0 ? printable(path) : shortened(printable(path), std::max(room, least))) + rest;
}
/// The members `path`, `module` and `target`; unknown ones are left out.
inline void write_module_members(json_writer& json, std::string_view path, std::string_view name, target on) {
  json.member("path", path);
  json.members_if("module", name, "target", on == target::unknown ? std::string_view() : name_of(on));
}

namespace detail {

/// Writes text in lines of at most `width` columns, each after `margin`; the first one after `first`, which is as wide.
inline void write_wrapped(std::ostream& out, std::string_view text, std::string_view margin, std::size_t width,
                          std::string_view first) {
  const std::size_t room = width - std::min(width, columns_of(margin));
  for (const std::string& line : wrapped_lines(with_short_words(text, room), room, room)) {
    out << (line.empty() ? std::string_view{} : first) << line << '\n';
    first = margin;
  }
}

/// Writes text in lines of at most `width` columns, broken at spaces, each after `margin`. Line ends of the text are
/// kept.
inline void write_wrapped(std::ostream& out, std::string_view text, std::string_view margin, std::size_t width) {
  write_wrapped(out, text, margin, width, margin);
}

/// Writes a title, indented by two, and a text wrapped after `beside` columns. Precondition: the title is shorter.
inline void write_beside(std::ostream& out, std::string_view title, std::string_view text, std::size_t beside,
                         std::size_t width) {
  std::string first = "  " + std::string(title);
  first.resize(beside, ' ');
  write_wrapped(out, text, std::string(beside, ' '), width, first);
}

}  // namespace detail

}  // namespace hlolint::report
