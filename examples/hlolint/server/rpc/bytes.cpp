#include "bytes.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace hlolint::command::server {

interruptible_input::interruptible_input(int file) : file_(file) {
  if (::pipe2(wake_, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
}

interruptible_input::~interruptible_input() {
  ::close(wake_[0]);
  ::close(wake_[1]);
}

std::size_t interruptible_input::read(char* to, std::size_t size) {
  while (true) {
    pollfd wanted[] = {{file_, POLLIN, 0}, {wake_[0], POLLIN, 0}};
    if (::poll(wanted, 2, -1) < 0 && errno != EINTR) return 0;
    if (wanted[1].revents != 0) return 0;
    if (wanted[0].revents == 0) continue;
    const ::ssize_t got = ::read(file_, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) return 0;
  }
}

void interruptible_input::end() {
  // One byte stays in the pipe for ever, so that later reads see it, too.
  if (::write(wake_[1], "", 1) < 0) return;
}

byte_sink output_to(int file) {
  return [file](std::string_view bytes) {
    while (!bytes.empty()) {
      const ::ssize_t done = ::write(file, bytes.data(), bytes.size());
      if (done >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(done));
      } else if (errno == EAGAIN) {
        pollfd wanted = {file, POLLOUT, 0};
        ::poll(&wanted, 1, -1);
      } else if (errno != EINTR) {
        return false;
      }
    }
    return true;
  };
}

}  // namespace hlolint::command::server
