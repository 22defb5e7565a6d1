// Sizes as reports print them for people: rounded, with a unit.
#pragma once

#include <hlolint/text/bytes.hpp>

#include <string_view>

namespace hlolint {

/// A size such as `95.62MiB`, `16B` or `570.00M`.
struct printed_size {
  byte_count bytes = 0;   ///< only as precise as the text
  std::string_view text;  ///< as written
  /// Whether the size is not rounded, because it is printed in bytes.
  bool exact() const { return text.find_first_of(".KMGTPE") == std::string_view::npos; }
  friend bool operator==(const printed_size& a, const printed_size& b) { return a.text == b.text; }
};

}  // namespace hlolint
