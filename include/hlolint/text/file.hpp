// The only place of the library that opens files.
#pragma once

#include <hlolint/text/source.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace hlolint {

/// A file's text, or why there is none.
struct loaded_file {
  std::optional<source> text;
  std::string error;  ///< empty when `text` is there
};

/// Reads a whole file (or whatever else fopen opens, up to its end). Never throws for a file that cannot be read.
inline loaded_file load_file(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (!file) return {std::nullopt, std::strerror(errno)};
  std::string text;
  if (std::fseek(file, 0, SEEK_END) == 0) {
    const long size = std::ftell(file);
    std::rewind(file);
    if (size > 0 && size < 0x7FFFFFFFFFFFF) text.resize(static_cast<std::size_t>(size));
  }
  // The size is only a hint: a pipe has none, and a file may grow while it is read.
  std::size_t filled = 0;
  for (;;) {
    if (filled == text.size()) {
      const int next = std::fgetc(file);
      if (next == EOF) break;
      text.resize(text.size() < 65536 ? 65536 : text.size() * 2);
      text[filled++] = static_cast<char>(next);
      continue;
    }
    const std::size_t got = std::fread(text.data() + filled, 1, text.size() - filled, file);
    filled += got;
    if (got == 0) break;
  }
  const int failed = std::ferror(file);
  const int why = errno;
  std::fclose(file);
  if (failed) return {std::nullopt, std::strerror(why)};
  text.resize(filled);
  return {source(std::move(text), path), {}};
}

}  // namespace hlolint
