#include "terminal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

std::size_t terminal_width() {
  if (!isatty(STDOUT_FILENO)) return 0;
  std::size_t columns = 0;
  if (const char* const set = std::getenv("COLUMNS")) {
    const std::string_view text = set;
    std::from_chars(text.data(), text.data() + text.size(), columns);
  }
  winsize size{};
  if (columns == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) columns = size.ws_col;
  constexpr std::size_t least = 40, most = 400, usual = 80;  // narrower ones wrap lines
  return columns > 0 ? std::clamp(columns, least, most) : usual;
}
