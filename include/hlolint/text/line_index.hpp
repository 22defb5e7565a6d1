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
  std::size_t line = 1;    ///< 1-based
  std::size_t column = 1;  ///< 1-based, in bytes
  friend constexpr bool operator==(const line_column&, const line_column&) = default;
};

/// The lines of a text. Building it takes one pass over the text, a question a binary search and a look at a few
/// hundred bytes. It takes less than a hundredth of the text's memory, however short the lines are. The text must
/// outlive it. Bytes beyond 4 GiB are ignored.
class line_index {
 public:
  line_index() = default;
  /// One pass over the text.
  explicit line_index(std::string_view text) : text_(text) {
    ends_before_.reserve(text.size() / part + 1);
    std::uint32_t ends = 0;
    for (std::size_t at = 0; at < text.size(); at += part) {
      ends_before_.push_back(ends);
      ends += count_ends(text.substr(at, part));
    }
    ends_ = ends;
  }

  /// The place of an offset. Beyond the end, the last line goes on.
  line_column at(std::size_t offset) const {
    const std::size_t number = ends_before(std::min(offset, text_.size()));
    return {number + 1, offset - start_of(number + 1) + 1};
  }

  /// The number of lines, at least 1: the text after the last line end is a line, too, even if it is empty.
  std::size_t lines() const { return ends_ + 1; }

  /// A 1-based line, without its line end.
  std::string_view line(std::size_t number) const {
    const std::size_t begin = start_of(number);
    std::size_t end = number <= ends_ ? start_of(number + 1) - 1 : text_.size();
    if (end > begin && text_[end - 1] == '\r') --end;
    return text_.substr(begin, end - begin);
  }

 private:
  static constexpr std::size_t part = 512;

  /// Reads the whole dump for the sake of a few lines, so it has to be fast. One byte can hold the count of a run,
  /// which lets compilers add up sixteen bytes at a time.
  static std::uint32_t count_ends(std::string_view text) {
    constexpr std::size_t run = 128;
    std::uint32_t count = 0;
    std::size_t at = 0;
    for (; at + run <= text.size(); at += run) {
      std::uint8_t ends = 0;
      for (std::size_t k = 0; k < run; ++k) ends = static_cast<std::uint8_t>(ends + (text[at + k] == '\n'));
      count += ends;
    }
    for (; at < text.size(); ++at) count += text[at] == '\n';
    return count;
  }
  /// Line ends in [0, offset).
  std::size_t ends_before(std::size_t offset) const {
    if (offset == text_.size()) return ends_;
    const std::size_t whole = offset / part;
    return ends_before_[whole] + count_ends(text_.substr(whole * part, offset % part));
  }
  /// Offset of the first byte of a 1-based line.
  std::size_t start_of(std::size_t number) const {
    if (number <= 1) return 0;
    // The line begins in the last part that has fewer line ends before it than there are lines before this line.
    const auto after = std::lower_bound(ends_before_.begin(), ends_before_.end(), number - 1);
    const auto in = static_cast<std::size_t>(after - ends_before_.begin()) - 1;
    std::size_t at = in * part;
    for (std::size_t left = number - 1 - ends_before_[in]; left > 0; --left) at = text_.find('\n', at) + 1;
    return at;
  }

  std::string_view text_;
  std::vector<std::uint32_t> ends_before_;  ///< line ends before each part
  std::size_t ends_ = 0;                    ///< line ends in the whole text
};

}  // namespace hlolint
