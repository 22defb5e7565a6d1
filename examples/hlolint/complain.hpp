// What goes wrong, on standard error.
#pragma once

#include "arguments.hpp"

#include <hlolint/report/utf8.hpp>

#include <cstddef>
#include <iostream>
#include <ostream>
#include <string>
#include <string_view>

/// Where this thread's complaints go: standard error, unless another sink is set.
inline std::ostream*& complaints() {
  static thread_local std::ostream* to = &std::cerr;
  return to;
}

/// Writes the lines; names of files and words of the command line may hold control characters, which a terminal must
/// not act on.
inline void complain_lines(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    *complaints() << hlolint::report::printable(lines.substr(0, end)) << '\n';
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
  }
}

/// One line; the name of the command comes before it. Returns the exit status for errors.
inline int complain(std::string_view message) {
  *complaints() << "hlolint: " << hlolint::report::printable(message) << '\n';
  return exit_error;
}
