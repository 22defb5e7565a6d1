// Where the bytes of a connection come from and go to.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

namespace hlolint::command::server {

/// Reads at most `size` bytes and returns how many; 0 at the end of the input. Waits for at least one.
using byte_source = std::function<std::size_t(char* to, std::size_t size)>;

/// Writes all bytes. False if the reader has closed its end.
using byte_sink = std::function<bool(std::string_view bytes)>;

/// A file descriptor that can be read until someone else ends the reading.
class interruptible_input {
 public:
  /// Precondition: `file` stays open.
  explicit interruptible_input(int file);
  ~interruptible_input();
  interruptible_input(const interruptible_input&) = delete;
  interruptible_input& operator=(const interruptible_input&) = delete;

  /// As a `byte_source`.
  std::size_t read(char* to, std::size_t size);
  /// Makes a `read` that waits, and all later ones, return 0. May be called from another thread.
  void end();

 private:
  int file_;
  int wake_[2] = {-1, -1};
};

/// Writes to a file descriptor.
byte_sink output_to(int file);

}  // namespace hlolint::command::server
