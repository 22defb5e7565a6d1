// Where something stands in a text: a half-open byte range. Positions are offsets; lines and columns come later.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// Bytes [begin, end) of a source. 32 bits: a source is at most 4 GiB - 1 bytes (see `source`).
struct span {
  std::uint32_t begin = 0;  ///< offset of the first byte
  std::uint32_t end = 0;  ///< offset one past the last byte

  /// In bytes.
  constexpr std::size_t size() const { return end - begin; }
  /// Whether it holds no byte.
  constexpr bool empty() const { return begin == end; }
  /// The bytes as a view. Precondition: `end <= text.size()`.
  constexpr std::string_view of(std::string_view text) const { return text.substr(begin, size()); }
  friend constexpr auto operator<=>(const span&, const span&) = default;
};

/// The span of `part`, a view into `text`. Precondition: `part` lies inside `text`.
constexpr span span_of(std::string_view text, std::string_view part) {
  const auto begin = static_cast<std::uint32_t>(part.data() - text.data());
  return {begin, begin + static_cast<std::uint32_t>(part.size())};
}

}  // namespace hlolint
