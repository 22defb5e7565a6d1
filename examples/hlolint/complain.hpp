// Error messages on standard error.
#pragma once

#include "settings/arguments.hpp"

#include <hlolint/report/utf8.hpp>
#include <hlolint/text/number_text.hpp>

#include <cstddef>
#include <iostream>
#include <ostream>
#include <set>
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

/// The same for a name that `--module` gives and no module of the input has. `present`: the names that modules have, of
/// which there is one at least.
inline int complain_of_module(std::string_view name, const std::set<std::string>& present) {
  constexpr std::size_t most = 5;
  std::string listed;
  std::size_t count = 0;
  for (const std::string& each : present)
    if (count++ < most) listed += (listed.empty() ? "" : ", ") + each;
  return complain("--module: there is no module " + std::string(name) + ", but " + listed +
                  hlolint::and_more(count, most));
}

}  // namespace hlolint::command
