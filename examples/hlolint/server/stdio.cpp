#include "stdio.hpp"

#include <cerrno>
#include <csignal>
#include <iostream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace hlolint::command::server {

void with_standard_streams(protocol how, const std::function<void(connection&)>& serve) {
  std::cout << std::flush;
  const int out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (out < 0) throw std::system_error(errno, std::generic_category(), "standard output");
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  // A client that has gone is noticed by the end of the input.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  {
    interruptible_input in(STDIN_FILENO);
    connection with([&](char* to, std::size_t size) { return in.read(to, size); }, output_to(out), std::move(how),
                    [&] { in.end(); });
    serve(with);
  }
  std::signal(SIGPIPE, before);
  ::dup2(out, STDOUT_FILENO);
  ::close(out);
}

}  // namespace hlolint::command::server
