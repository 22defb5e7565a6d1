// Splits a stream of bytes into messages: by Content-Length headers (LSP) or by lines (MCP).
#pragma once

#include "bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

namespace hlolint::command::server {

/// How messages follow each other in a stream.
enum class framing : std::uint8_t {
  headers,  ///< `Content-Length: N`, an empty line, N bytes
  lines     ///< one message on each line
};

/// Bytes of one message; longer ones are skipped.
inline constexpr std::size_t most_message_bytes = std::size_t{512} << 20;

/// Reads messages byte by byte, so that none has to be kept as text. Needs a fixed amount of memory.
class frame_reader {
 public:
  /// What `next` found.
  enum class found : std::uint8_t {
    message,    ///< `get` returns its bytes
    garbage,    ///< bytes that belong to no message; they were skipped
    too_large,  ///< a message of more than `most_message_bytes`; it was skipped
    end         ///< of the stream
  };

  frame_reader(byte_source from, framing how) : from_(std::move(from)), how_(how) {}

  /// Skips the rest of the current message and goes to the next one.
  found next();
  /// The next byte of the message, as an unsigned char; -1 at its end.
  int get();
  /// Bytes of the message that `get` has returned.
  std::size_t taken() const { return taken_; }

 private:
  int byte();
  bool header_line(std::string& out);
  found next_by_headers();
  found next_by_line();

  byte_source from_;
  framing how_;
  std::array<char, std::size_t{1} << 16> buffer_{};
  std::size_t at_ = 0, filled_ = 0;
  std::size_t left_ = 0;       // of a message with headers
  std::size_t taken_ = 0;      // of the message
  bool in_line_ = false;       // in the middle of a line
  bool ended_ = false;         // the stream
  std::size_t promised_ = 0;   // length of the message after garbage
  bool has_promised_ = false;  // garbage was reported, a message follows
};

/// Iterates over the bytes of the current message; the default one is the end.
class frame_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  frame_iterator() = default;
  explicit frame_iterator(frame_reader& of) : of_(&of) { ++*this; }
  reference operator*() const { return byte_; }
  frame_iterator& operator++() {
    const int next = of_->get();
    if (next < 0)
      of_ = nullptr;
    else
      byte_ = static_cast<char>(next);
    return *this;
  }
  frame_iterator operator++(int) {
    frame_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const frame_iterator& a, const frame_iterator& b) { return a.of_ == b.of_; }

 private:
  frame_reader* of_ = nullptr;
  char byte_ = 0;
};

/// The message with the bytes around it that the framing asks for.
std::string framed(std::string_view message, framing how);

}  // namespace hlolint::command::server
