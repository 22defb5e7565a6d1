// How much may change before it counts.
#pragma once

#include <hlolint/lint/option.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace hlolint::compare {

/// A number of bytes may grow or shrink by the larger of the two.
struct change_tolerance {
  double ratio = 0;      ///< of the old number
  byte_count bytes = 0;  ///< whatever the old number is
  friend bool operator==(const change_tolerance&, const change_tolerance&) = default;

  /// Whether a change from `before` to `after` bytes is within it.
  bool covers(byte_count before, byte_count after) const {
    const double change = std::max(static_cast<double>(after) - static_cast<double>(before),
                                   static_cast<double>(before) - static_cast<double>(after));
    return change <= std::max(static_cast<double>(bytes), ratio * static_cast<double>(before));
  }
};

/// Sets one part of `value` from `1.5%` or `16MiB`. Returns what was expected if the text is neither.
inline optional<std::string> read_tolerance(std::string_view text, change_tolerance& value) {
  const std::string wanted = "a percentage such as 1% or a number of bytes such as 16MiB";
  if (text.empty() || text.back() != '%') return read_option(text, value.bytes) ? optional(wanted) : std::nullopt;
  double percent = 0;
  const auto got = double_from_chars(text.data(), text.data() + text.size() - 1, percent, std::chars_format::fixed);
  if (got.ec != std::errc{} || got.ptr != text.data() + text.size() - 1 || !(percent >= 0)) return wanted;
  value.ratio = percent / 100;
  return std::nullopt;
}

}  // namespace hlolint::compare
