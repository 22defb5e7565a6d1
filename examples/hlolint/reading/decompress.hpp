// Compressed inputs: .gz, .xz and .zst, each if its library was found at configuration.
#pragma once

#include <hlolint/text/file.hpp>
#include <hlolint/text/text_buffer.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::command {

/// How the bytes of a file are compressed.
enum class compression { none, gzip, xz, zstd };
/// Determines the compression by the extension, else by the first bytes.
compression compression_of(std::string_view path, std::string_view head);

/// The path without the extension of a compression: `m.txt` for `m.txt.gz`.
std::string_view without_compression(std::string_view path);

/// The content of a compressed file up to the first error, which `error` describes.
struct decompressed {
  hlolint::text_buffer text;
  std::string error;
  hlolint::load_status status = hlolint::load_status::loaded;  ///< `unreadable` = damaged or cut off after `text`
};

/// Reads and decompresses piece by piece, and stops if the content is neither text nor passes the test, or if it has
/// more than `max_size` bytes. The window of the decompressor is 128 MiB at most.
/// Precondition: the file is compressed.
decompressed decompress(compression how, hlolint::file_reader& from, std::uint64_t max_size,
                        hlolint::binary_test reads_binary);

}  // namespace hlolint::command
