// Compressed files that a test makes itself: gzip (RFC 1952, RFC 1951) and Zstandard (RFC 8878).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace from_outside {

inline void append_little_endian(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

inline std::uint32_t crc32_of(std::string_view text) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char c : text) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

inline constexpr std::string_view gzip_header{"\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10};

/// A gzip file that stores the text as it is.
inline std::string gzip_of(std::string_view text) {
  std::string out(gzip_header);
  for (std::size_t at = 0; at == 0 || at < text.size(); at += 65535) {
    const std::string_view block = text.substr(at, 65535);
    out += at + 65535 >= text.size() ? '\1' : '\0';  // the last block; stored
    append_little_endian(out, block.size(), 2);
    append_little_endian(out, ~block.size(), 2);
    out += block;
  }
  append_little_endian(out, crc32_of(text), 4);
  append_little_endian(out, text.size(), 4);
  return out;
}

/// A gzip file of about `count` equal bytes, a 159th of their size, without an end.
inline std::string gzip_bomb(char byte, std::size_t count) {
  std::string out(gzip_header);
  std::uint64_t bits = 0;
  int used = 0;
  const auto put = [&](std::uint32_t value, int size) {
    bits |= std::uint64_t{value} << used;
    for (used += size; used >= 8; used -= 8, bits >>= 8) out += static_cast<char>(bits & 0xFF);
  };
  // Huffman codes are written from their highest bit.
  const auto put_code = [&](std::uint32_t code, int size) {
    for (int bit = size - 1; bit >= 0; --bit) put(code >> bit & 1, 1);
  };
  put(1, 1), put(1, 2);                                                             // the last block; fixed codes
  put_code(0x30u + static_cast<unsigned char>(byte), 8);                            // the byte (below 144)
  for (std::size_t i = 0; i < count / 258; ++i) put_code(0xC5, 8), put_code(0, 5);  // 258 times the byte before
  return out;
}

/// A Zstandard file that stores the text as it is, in blocks of `most` bytes (128 KiB at most).
inline std::string zstd_of(std::string_view text, std::size_t most = 128 << 10) {
  std::string out("\x28\xB5\x2F\xFD\xA0", 5);  // one segment; a size of four bytes follows
  append_little_endian(out, text.size(), 4);
  for (std::size_t at = 0; at == 0 || at < text.size(); at += most) {
    const std::string_view block = text.substr(at, most);
    append_little_endian(out, block.size() << 3 | (at + most >= text.size() ? 1 : 0), 3);
    out += block;
  }
  return out;
}

/// A Zstandard file of `blocks` times 128 KiB of equal bytes.
inline std::string zstd_bomb(char byte, std::size_t blocks) {
  std::string out("\x28\xB5\x2F\xFD\0\x38", 6);  // a window of 128 KiB, no size
  for (std::size_t i = 0; i < blocks; ++i) {
    append_little_endian(out, std::uint64_t{128 << 10} << 3 | 1 << 1 | (i + 1 == blocks ? 1 : 0), 3);
    out += byte;
  }
  return out;
}

}  // namespace from_outside
