// Files that the command writes.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// Whether both paths lead to one file, however they are spelled and linked. Of standard input (`-`) it is false.
bool is_same_file(const std::string& a, const std::string& b);

/// What was to be written would replace something that is read.
struct overwrites_input : std::runtime_error {
  overwrites_input(const std::string& output, const std::string& input)
      : std::runtime_error(output + " is not written: it is an input" + (output == input ? "" : ", " + input)) {}
};

/// Writes the text to a new file beside `path`, which then takes its place: whoever reads `path` sees the old text or
/// the new one. A link keeps leading to its target, and permissions are kept; devices and pipes are written to as
/// they are. Returns what went wrong, if anything did; then the old file is as it was.
std::string write_file(const std::string& path, std::string_view text);
