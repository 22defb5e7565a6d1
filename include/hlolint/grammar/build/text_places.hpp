// Places in the text that is being read, and what stands at them.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/source.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::build {

/// The token at the beginning of a text for a message: `'%add.1'`, or `the end of the text`.
inline std::string found_token(std::string_view rest) {
  constexpr std::string_view name_bytes = "_.-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (rest.empty()) return "the end of the text";
  const std::size_t sign = rest.front() == '%' || rest.front() == '-';
  const std::size_t word = std::min(rest.find_first_not_of(name_bytes, sign), rest.size());
  const std::size_t size = std::clamp(word, std::size_t{1}, std::size_t{40});
  const auto byte = static_cast<unsigned char>(rest.front());
  if (size == 1 && (byte < 0x20 || byte > 0x7e)) {
    constexpr char digits[] = "0123456789abcdef";
    return std::string("the byte 0x") + digits[byte >> 4] + digits[byte & 15];
  }
  return str_cat({"'", rest.substr(0, size), "'"});
}

/// The text, and the offsets of its parts.
class text_places {
 public:
  explicit text_places(hlolint::source text) : source_(std::move(text)), whole_(source_.text()) {}

  const hlolint::source& source() const { return source_; }
  std::string_view whole() const { return whole_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(whole_.size()); }
  std::uint32_t offset(const char* p) const { return static_cast<std::uint32_t>(p - whole_.data()); }
  std::uint32_t offset(std::string_view part) const { return offset(part.data()); }
  span at(std::string_view part) const {
    return {offset(part), offset(part) + static_cast<std::uint32_t>(part.size())};
  }
  std::string_view written(span where) const { return where.of(whole_); }
  std::string_view from(std::uint32_t begin) const { return whole_.substr(begin); }
  bool on_last_line(std::uint32_t where) const { return whole_.find('\n', where) == whole_.npos; }
  bool is_first_in_line(std::uint32_t where) const {
    const std::size_t before = whole_.substr(0, where).find_last_not_of(" \t");
    return before == whole_.npos || whole_[before] == '\n';
  }
  /// The number of blanks before the first token of the line of a place. Many places may be in one line, so the last
  /// answer is cached.
  std::size_t indentation(std::uint32_t where) const {
    if (where < line_begin_ || where > line_until_) {
      const std::size_t first = where > line_until_ ? line_until_ : 0;  // stop at the cached position
      const std::size_t end = where == 0 ? whole_.npos : whole_.substr(first, where - first).rfind('\n');
      if (end != whole_.npos || first == 0) {
        line_begin_ = end == whole_.npos ? 0 : first + end + 1;
        const std::size_t token = whole_.find_first_not_of(" \t\r", line_begin_);
        blanks_ = (token == whole_.npos ? whole_.size() : token) - line_begin_;
      }
      line_until_ = where;
    }
    return blanks_;
  }

 private:
  hlolint::source source_;
  std::string_view whole_;
  /// The cached line begins at line_begin_ and reaches line_until_.
  mutable std::size_t line_begin_ = 1, line_until_ = 0, blanks_ = 0;
};

}  // namespace hlolint::build
