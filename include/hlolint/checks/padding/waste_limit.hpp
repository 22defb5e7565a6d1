// How much padding is worth a finding, by the memory that it lies in.
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace hlolint::detail {

/// What PAD001 reports by default; PAD003 leaves these arrays to it.
inline constexpr byte_count much_padding = 16_MiB;
inline constexpr double much_padded = 1.5;

/// The fewest bytes that count: `most`, or `percent` of the memory space if that is less.
inline byte_count waste_limit(const context& dump, std::int64_t color, byte_count most, double percent) {
  const byte_count capacity = memory_space_capacity(dump.target(), dump.certain_device(), color);
  if (capacity <= 0 || !(percent > 0)) return most;
  return std::min(most, clamp_to_int64(static_cast<double>(capacity) * percent / 100));
}

}  // namespace hlolint::detail
