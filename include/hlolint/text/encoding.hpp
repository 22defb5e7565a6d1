// Encodings of texts: XLA writes ASCII and UTF-8, but editors and shells of Windows add byte order marks or write
// UTF-16.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlolint {

/// The size in bytes of the UTF-8 byte order mark that a text begins with; 0 if there is none.
constexpr std::size_t byte_order_mark(std::string_view text) { return text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0; }

/// Whether a text is UTF-16: it begins with a byte order mark of UTF-16, or with bytes of which every second one is
/// zero, as English text without a mark does.
constexpr bool is_utf16(std::string_view text) {
  const std::string_view mark = text.substr(0, 2);
  if (mark == "\xFF\xFE" || mark == "\xFE\xFF") return true;
  const std::size_t pairs = std::min<std::size_t>(text.size() / 2, 64);
  for (const std::size_t zero : {std::size_t{0}, std::size_t{1}}) {
    bool zeros = pairs >= 4;
    for (std::size_t i = 0; i < pairs && zeros; ++i)
      zeros = text[2 * i + zero] == '\0' && text[2 * i + 1 - zero] != '\0';
    if (zeros) return true;
  }
  return false;
}

/// The message about a text in UTF-16.
inline constexpr const char* utf16_is_not_read =
    "the input is UTF-16; hlolint reads UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)";

}  // namespace hlolint
