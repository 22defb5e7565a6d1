// How many blanks a line begins with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint::build {

/// The number of blanks before the first token of the line of a place. Many places may be in one line, so the last
/// answer is cached.
class indentations {
 public:
  explicit indentations(std::string_view text) : text_(text) {}

  std::size_t of(std::uint32_t where) const {
    if (where < begin_ || where > until_) {
      const std::size_t from = where > until_ ? until_ : 0;  // stop at the cached position
      const std::size_t end = where == 0 ? text_.npos : text_.substr(from, where - from).rfind('\n');
      if (end != text_.npos || from == 0) {
        begin_ = end == text_.npos ? 0 : from + end + 1;
        const std::size_t token = text_.find_first_not_of(" \t\r", begin_);
        blanks_ = (token == text_.npos ? text_.size() : token) - begin_;
      }
      until_ = where;
    }
    return blanks_;
  }

 private:
  std::string_view text_;
  mutable std::size_t begin_ = 1, until_ = 0, blanks_ = 0;  ///< the cached line begins at begin_ and reaches until_
};

}  // namespace hlolint::build
