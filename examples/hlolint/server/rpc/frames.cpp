#include "frames.hpp"

#include <hlolint/text/characters.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <optional>

namespace hlolint::command::server {

namespace {

// Longer lines are no headers.
constexpr std::size_t most_header_bytes = 8192;

// The number in `Content-Length: N`; nothing for other lines.
std::optional<std::int64_t> content_length(std::string_view line) {
  constexpr std::string_view name = "content-length:";
  if (line.size() < name.size() ||
      !std::equal(name.begin(), name.end(), line.begin(), [](char a, char b) { return a == lower(b); }))
    return std::nullopt;
  line.remove_prefix(name.size());
  while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  const auto number = hlolint::integer_in(line);
  return number && *number >= 0 ? number : std::nullopt;
}

bool is_other_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon),
                     [](char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || c == '-'; });
}

}  // namespace

bool frame_reader::fill() {
  if (ended_) return false;
  at_ = piece_end_ = 0, filled_ = from_(buffer_.data(), buffer_.size());
  ended_ = filled_ == 0;
  return !ended_;
}

int frame_reader::byte() {
  if (at_ == filled_ && !fill()) return -1;
  return static_cast<unsigned char>(buffer_[at_++]);
}

bool frame_reader::next_piece() {
  if (how_ == framing::headers ? left_ == 0 : !in_line_) return false;
  if (at_ == filled_ && !fill()) {
    left_ = 0, in_line_ = false;
    return false;
  }
  const char* const begin = buffer_.data() + at_;
  std::size_t size = filled_ - at_;
  if (how_ == framing::headers) {
    size = std::min(size, left_), left_ -= size;
  } else {
    size = static_cast<std::size_t>(std::find(begin, begin + size, '\n') - begin);
    in_line_ = at_ + size == filled_;  // else the end of the line stands there
  }
  piece_end_ = at_ + size, taken_ += size;
  return size > 0;
}

frame_reader::found frame_reader::next() {
  while (!piece().empty()) at_ = piece_end_;
  taken_ = 0;
  return how_ == framing::headers ? next_by_headers() : next_by_line();
}

// Reads a line without its end; a longer one than a header is cut. False at the end of the stream.
bool frame_reader::header_line(std::string& out) {
  out.clear();
  int next = byte();
  if (next < 0) return false;
  for (; next >= 0 && next != '\n'; next = byte())
    if (out.size() < most_header_bytes) out += static_cast<char>(next);
  if (out.ends_with('\r')) out.pop_back();
  return true;
}

frame_reader::found frame_reader::next_by_headers() {
  if (has_promised_) {
    has_promised_ = false;
    left_ = promised_;
    return found::message;
  }
  std::string line;
  bool garbage = false;
  std::int64_t length = -1;  // none yet; g++ 12 takes an optional for uninitialized here
  while (header_line(line)) {
    if (const auto number = content_length(line)) {
      length = *number;
    } else if (line.empty() && length >= 0) {
      if (length > static_cast<std::int64_t>(most_message_bytes)) {
        // The length may be wrong, but what follows is no message in either case.
        for (std::int64_t skipped = 0; skipped < length && byte() >= 0; ++skipped) {
        }
        return ended_ ? found::end : found::too_large;
      }
      if (garbage) {
        promised_ = static_cast<std::size_t>(length), has_promised_ = true;
        return found::garbage;
      }
      left_ = static_cast<std::size_t>(length);
      return found::message;
    } else if (line.empty() || !is_other_header(line)) {
      garbage = garbage || !line.empty();
      length = -1;
    }
  }
  return garbage ? found::garbage : found::end;
}

frame_reader::found frame_reader::next_by_line() {
  for (int next = byte(); next >= 0; next = byte()) {
    if (next == '\n' || next == '\r' || next == ' ' || next == '\t') continue;
    --at_;  // it was read from the buffer just now
    in_line_ = true;
    return found::message;
  }
  return found::end;
}

std::string framed(std::string message, framing how) {
  if (how == framing::lines)
    message += '\n';
  else
    message.insert(0, "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n");
  return message;
}

}  // namespace hlolint::command::server
