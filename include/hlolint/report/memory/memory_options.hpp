// What a memory report shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlolint {

/// What the resident bytes are summed by.
enum class memory_by : std::uint8_t { nothing, source, scope, opcode, shape };

constexpr std::string_view name_of(memory_by by) {
  constexpr std::string_view names[] = {"", "source", "scope", "opcode", "shape"};
  return names[static_cast<std::size_t>(by)];
}

struct memory_options {
  std::size_t top = 10;              ///< at most so many values, and in the text so many allocations
  std::optional<std::int64_t> at{};  ///< the position whose values are shown; nothing = the peak
  bool blocks = false;               ///< draw with U+2581 to U+2588 instead of `#`
  memory_by by = memory_by::nothing;  ///< not nothing: the sums instead of allocations and values
};

}  // namespace hlolint
