// Sizes as reports print them for people: rounded, with a unit.
#pragma once

#include <hlolint/text/bytes.hpp>

#include <string_view>

namespace hlolint {

/// `95.62MiB`, `16B`, `570.00M`: `bytes` is read from the text, so only as exact as it.
struct printed_size {
  byte_count bytes = 0;  ///< rounded as the text is
  std::string_view text;  ///< as written
  /// Printed in bytes, so not rounded.
  bool exact() const { return text.find_first_of(".KMGTPE") == std::string_view::npos; }
  friend bool operator==(const printed_size& a, const printed_size& b) { return a.text == b.text; }
};

}  // namespace hlolint
