// Files that the command writes.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace hlolint::command {

/// Whether both paths lead to one file, however they are spelled and linked. False for standard input (`-`).
bool is_same_file(const std::string& a, const std::string& b);

/// Thrown if an output would replace an input.
struct overwrites_input : std::runtime_error {
  overwrites_input(const std::string& output, const std::string& input)
      : std::runtime_error(output + " is not written: it is an input" + (output == input ? "" : ", " + input)) {}
};

/// Writes the text to a new file beside `path` and renames it to `path`: readers see the old text or the new one, never
/// a part. Links and permissions are kept; devices and pipes are written to directly. Returns the error message, empty
/// if there was none; after an error the old file is unchanged.
std::string write_file(const std::string& path, std::string_view text);

}  // namespace hlolint::command
