#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

std::size_t terminal_width() {
  constexpr std::size_t least = 40;  // narrower ones wrap lines
  winsize size{};
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 0;
  return size.ws_col < least ? least : size.ws_col;
}
