// Error messages on standard error.
#pragma once

#include "settings/arguments.hpp"

#include <hlolint/report/utf8.hpp>

#include <cstddef>
#include <iostream>
#include <ostream>
#include <string>
#include <string_view>

namespace hlolint::command {

/// The sink of this thread's error messages: standard error, unless another one is set.
inline std::ostream*& complaints() {
  static thread_local std::ostream* to = &std::cerr;
  return to;
}

/// Writes the lines with control characters escaped: names of files and words of the command line may hold some, and a
/// terminal must not act on them.
inline void complain_lines(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    *complaints() << hlolint::report::printable(lines.substr(0, end)) << '\n';
    lines.remove_prefix(end == lines.npos ? lines.size() : end + 1);
  }
}

/// Writes one line that begins with the name of the command. Returns the exit status for errors.
inline int complain(std::string_view message) {
  *complaints() << "hlolint: " << hlolint::report::printable(message) << '\n';
  return exit_error;
}

}  // namespace hlolint::command
