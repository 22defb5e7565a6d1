#include "terminal.hpp"

#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

namespace hlolint::command {

std::size_t terminal_width() {
  if (!isatty(STDOUT_FILENO)) return 0;
  std::size_t columns = 0;
  if (const char* const set = std::getenv("COLUMNS")) columns = hlolint::leading_integer<std::size_t>(set).value_or(0);
  winsize size{};
  if (columns == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  constexpr std::size_t least = 40, most = 400, usual = 80;  // in narrower terminals lines wrap
  return columns > 0 ? std::clamp(columns, least, most) : usual;
}

}  // namespace hlolint::command
