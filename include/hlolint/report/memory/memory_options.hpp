// What a memory report shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hlolint {

struct memory_options {
  std::size_t top = 10;              ///< at most so many values, and in the text so many allocations
  std::optional<std::int64_t> at{};  ///< the position whose values are shown; nothing = the peak
  bool blocks = false;               ///< draw with U+2581 to U+2588 instead of `#`
};

}  // namespace hlolint
