// Where an instruction comes from in the user's program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint {

/// A place in the user's program. Members that the text does not give are empty or 0.
struct source_position {
  std::string file;             ///< path as the framework recorded it
  std::string function;         ///< empty unless a stack frame names it
  std::int64_t line = 0;        ///< lines and columns are 1-based
  std::int64_t end_line = 0;    ///< the last line, inclusive
  std::int64_t column = 0;      ///< in bytes
  std::int64_t end_column = 0;  ///< in bytes
  /// Whether a file is known.
  explicit operator bool() const { return !file.empty(); }
  friend bool operator==(const source_position&, const source_position&) = default;
};

/// `train.py:12`: a file and a line of the user's program. Only the file if the line is 0; an empty text without a
/// file.
inline std::string file_and_line(std::string_view file, std::int64_t line) {
  std::string out(file);
  if (!file.empty() && line > 0) out += ":" + std::to_string(line);
  return out;
}

}  // namespace hlolint
