// Where an instruction comes from in the user's program.
#pragma once

#include <cstdint>
#include <string>

namespace hlolint {

/// Unescaped; empty or 0 where the text does not say.
struct source_position {
  std::string file;  ///< path as the framework recorded it
  std::string function;  ///< empty unless a stack frame says it
  std::int64_t line = 0;  ///< 1-based, like the next three
  std::int64_t end_line = 0;  ///< the last line, inclusive
  std::int64_t column = 0;  ///< in bytes
  std::int64_t end_column = 0;  ///< in bytes
  /// Whether a file is known.
  explicit operator bool() const { return !file.empty(); }
  friend bool operator==(const source_position&, const source_position&) = default;
};

}  // namespace hlolint
