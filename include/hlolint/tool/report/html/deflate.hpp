// Compresses text in the format of gzip, which browsers read, too (RFC 1951, RFC 1952).
#pragma once

#include <boost/beast/zlib/deflate_stream.hpp>
#include <boost/crc.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// The text in the format of gzip, without a name or a time, so that equal texts give equal bytes. Linear.
/// Precondition: the text has less than 4 GiB.
inline std::string gzip(std::string_view text) {
  std::string out("\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\xFF", 10);
  const auto head = out.size();
  boost::beast::zlib::deflate_stream deflate;
  out.resize(head + deflate.upper_bound(text.size()));
  boost::beast::zlib::z_params buffers;
  buffers.next_in = text.data();
  buffers.avail_in = text.size();
  buffers.next_out = out.data() + head;
  buffers.avail_out = out.size() - head;
  boost::beast::error_code at_end;
  deflate.write(buffers, boost::beast::zlib::Flush::finish, at_end);
  out.resize(head + buffers.total_out);
  boost::crc_32_type checksum;
  checksum.process_bytes(text.data(), text.size());
  for (const std::uint32_t number : {std::uint32_t{checksum.checksum()}, static_cast<std::uint32_t>(text.size())})
    for (int k = 0; k < 4; ++k) out.push_back(static_cast<char>(number >> 8 * k & 0xFF));
  return out;
}

/// Bytes as text: four characters for three bytes (RFC 4648).
inline std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out.push_back(i + k > bytes.size() ? '=' : letters[three >> (18 - 6 * k) & 63]);
  }
  return out;
}

}  // namespace hlolint
