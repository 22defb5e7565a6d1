// Reads one file of the command line.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace hlolint::command {

/// The result of reading a file.
struct read_file {
  hlolint::parsed_file content;
  /// Whether it is a dump or may be one: false if it is something else, or cannot be opened and is not called .txt.
  bool is_dump = true;
};

/// A SYN000 at the beginning of the file.
hlolint::diagnostic unreadable(const std::string& path, std::string message);

/// Reads a regular file, decompressed if need be, and parses it. Binary content, and more than
/// `max_size` bytes of text, is SYN000. Of compressed data that is damaged or cut off, the part before the damage is
/// kept, with SYN001 at its end.
read_file read_input(const std::string& path, std::uint64_t max_size);

/// The same for the bytes of a file that is held in memory, or of standard input (`-`).
read_file read_bytes(const std::shared_ptr<const std::string>& bytes, const std::string& path, std::uint64_t max_size);

}  // namespace hlolint::command
