// Lines and columns from offsets, for messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint {

/// 1-based line, 1-based column; the column counts bytes.
struct line_column {
  std::size_t line = 1;
  std::size_t column = 1;
  friend constexpr bool operator==(const line_column&, const line_column&) = default;
};

/// The starts of all lines of a text: one pass to build, a binary search per question.
class line_index {
 public:
  line_index() = default;
  explicit line_index(std::string_view text) : size_(static_cast<std::uint32_t>(text.size())) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      starts_.push_back(static_cast<std::uint32_t>(at + 1));
  }

  line_column at(std::size_t offset) const {
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
    const auto line = static_cast<std::size_t>(after - starts_.begin());
    return {line, offset - starts_[line - 1] + 1};
  }

  std::size_t lines() const { return starts_.size(); }

  /// The text of a 1-based line, without its line end.
  std::string_view line(std::string_view text, std::size_t number) const {
    const std::size_t begin = starts_[number - 1];
    std::size_t end = number < starts_.size() ? starts_[number] - 1 : size_;
    if (end > begin && text[end - 1] == '\r') --end;
    return text.substr(begin, end - begin);
  }

 private:
  std::vector<std::uint32_t> starts_{0};
  std::uint32_t size_ = 0;
};

}  // namespace hlolint
