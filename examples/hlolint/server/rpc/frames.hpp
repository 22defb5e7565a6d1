// Splits a stream of bytes into messages: by Content-Length headers (LSP) or by lines (MCP).
#pragma once

#include "bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
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

/// Reads messages byte by byte or in pieces, so that none has to be kept as text. Needs a fixed amount of memory.
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
  int get() { return at_ < piece_end_ || next_piece() ? static_cast<unsigned char>(buffer_[at_++]) : -1; }
  /// Bytes of the message from where `get` is, as many as are here; empty at its end. `skip` passes some of them.
  std::string_view piece() {
    return at_ < piece_end_ || next_piece() ? std::string_view(buffer_.data() + at_, piece_end_ - at_) : "";
  }
  void skip(std::size_t bytes) { at_ += bytes; }
  /// How many bytes of the message have come, and how many its header promises besides.
  std::size_t taken() const { return taken_; }
  std::size_t promised() const { return left_; }

 private:
  bool fill();
  int byte();
  bool next_piece();
  bool header_line(std::string& out);
  found next_by_headers();
  found next_by_line();

  byte_source from_;
  framing how_;
  std::array<char, std::size_t{1} << 16> buffer_{};
  std::size_t at_ = 0, filled_ = 0;
  std::size_t piece_end_ = 0;  // of what belongs to the message
  std::size_t left_ = 0;       // of a message with headers
  std::size_t taken_ = 0;      // of the message
  bool in_line_ = false;       // in the middle of a line
  bool ended_ = false;         // the stream
  std::size_t promised_ = 0;   // length of the message after garbage
  bool has_promised_ = false;  // garbage was reported, a message follows
};

/// The message with the bytes around it that the framing asks for.
std::string framed(std::string message, framing how);

}  // namespace hlolint::command::server
