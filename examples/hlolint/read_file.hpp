// One file of the command line: from its path to what it holds.
#pragma once

#include <hlolint/ir/parsed_file.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstdint>
#include <string>

/// What came of reading a file.
struct read_file {
  hlolint::parsed_file content;
  /// It is a dump, or may be one: false if it is something else, or cannot be opened and is not called .txt.
  bool is_dump = true;
};

/// SYN000 at the beginning of the file.
hlolint::diagnostic unreadable(const std::string& path, std::string message);

/// Reads a regular file, a compressed one as what it holds, or standard input (`-`), and parses it. What is binary or
/// holds more than `max_size` bytes of text is SYN000. Of compressed data that is damaged or cut off, what comes before
/// the damage is kept; SYN001 is reported at the end of it.
read_file read_input(const std::string& path, std::uint64_t max_size);
