// Compressed inputs: .gz, .xz and .zst, each where its library was found.
#pragma once

#include <hlolint/text/file.hpp>
#include <hlolint/text/text_buffer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

/// How the bytes of a file are compressed.
enum class compression { none, gzip, xz, zstd };
/// By the ending of the name, else by the first bytes.
compression compression_of(std::string_view path, std::string_view head);

/// The path without the ending of a compression: `m.txt` for `m.txt.gz`.
std::string_view without_compression(std::string_view path);

/// What a compressed file holds, up to the first fault, which `error` describes.
struct decompressed {
  hlolint::text_buffer text;
  std::string error;
  hlolint::load_status status = hlolint::load_status::loaded;  ///< `unreadable` = damaged or cut off after `text`
};

/// Reads and decompresses piece by piece, and stops at what is neither text nor passes the test, or is larger than
/// `max_size` bytes. The window of the decompressor is 128 MiB at most.
/// Precondition: it is compressed.
decompressed decompress(compression how, hlolint::file_reader& from, std::uint64_t max_size,
                        hlolint::binary_test reads_binary);
