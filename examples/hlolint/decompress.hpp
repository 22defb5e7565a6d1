// Compressed inputs: .gz, and .xz and .zst where their libraries were found.
#pragma once

#include <string>
#include <string_view>

/// The path without the ending of a compression: `m.txt` for `m.txt.gz`.
std::string_view without_compression(std::string_view path);

/// What a compressed file holds. On failure `error` says why.
struct decompressed {
  std::string text;
  std::string error;
};

/// Precondition: the path has the ending of a compression.
decompressed decompress(std::string_view path, std::string_view bytes);
