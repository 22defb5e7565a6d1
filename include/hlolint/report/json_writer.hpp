// Writes JSON to a stream, piece by piece.
#pragma once

#include <hlolint/report/utf8.hpp>
#include <hlolint/text/double_chars.hpp>

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <ostream>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// The output is valid UTF-8 whatever the input is, and does not depend on the stream's locale. Precondition: in an
/// object each value comes after its `key`.
class json_writer {
 public:
  /// `indent` spaces for each level; 0 writes everything on one line.
  explicit json_writer(std::ostream& out, int indent = 2) : out_(out), indent_(indent) {}

  /// The name of the member that the next value belongs to.
  void key(std::string_view name) {
    separate();
    string(name);
    out_ << (indent_ > 0 ? ": " : ":");
    after_key_ = true;
  }

  /// A string; bytes that are not UTF-8 become U+FFFD.
  void value(std::string_view text) {
    separate();
    string(text);
  }
  /// A string. Precondition: `text` is not null.
  void value(const char* text) { value(std::string_view(text)); }
  /// `true` or `false`.
  void value(bool truth) {
    separate();
    out_ << (truth ? "true" : "false");
  }
  /// A whole number, exactly.
  template <std::integral Integer>
  void value(Integer number) {
    separate();
    char digits[std::numeric_limits<Integer>::digits10 + 3];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out_.write(digits, end - digits);
  }
  /// Six significant digits, more than any estimate has; whole numbers, such as bytes, exactly; `null` if it is not
  /// finite. For measurements up to 15 digits can be asked for.
  void value(double number, int significant = 6) {
    if (!std::isfinite(number)) return null();
    constexpr double exact = 9007199254740992;  // up to 2^53 a double holds each whole number
    if (std::abs(number) < exact && std::trunc(number) == number) return value(static_cast<std::int64_t>(number));
    separate();
    char digits[32];
    const auto end = double_to_chars(digits, digits + sizeof digits, number, significant).ptr;
    out_.write(digits, end - digits);
  }
  /// `null`
  void null() {
    separate();
    out_ << "null";
  }

  /// An object of what `members` writes.
  template <class F>
  void object(F&& members) {
    open('{');
    members();
    close('}');
  }
  /// An array of what `items` writes.
  template <class F>
  void array(F&& items) {
    open('[');
    items();
    close(']');
  }
  /// A key and an object of what `members` writes.
  template <class F>
  void object(std::string_view name, F&& members) {
    key(name);
    object(members);
  }
  /// A key and an array of what `items` writes.
  template <class F>
  void array(std::string_view name, F&& items) {
    key(name);
    array(items);
  }
  /// An array with the values of a list.
  template <class List>
  void values(std::string_view name, const List& list) {
    array(name, [&] {
      for (const auto& item : list) value(item);
    });
  }
  /// An array with one object for each item of a list, of what `members(item)` writes.
  template <class List, class F>
  void objects(std::string_view name, const List& list, F&& members) {
    array(name, [&] {
      for (const auto& item : list) object([&] { members(item); });
    });
  }

  /// A key and its value.
  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  /// A key and its text; nothing if the text is empty.
  void member_if(std::string_view name, std::string_view text) {
    if (!text.empty()) member(name, text);
  }
  /// A key and its value; nothing if there is none.
  template <class T>
  void member_if(std::string_view name, const std::optional<T>& content) {
    if (content) member(name, *content);
  }
  /// Members in a row: `members("line", 3, "column", 7)`; those without a value are left out.
  template <class T, class... More>
  void members(std::string_view name, const T& content, const More&... more) {
    if constexpr (requires { content.has_value(); })
      member_if(name, content);
    else
      member(name, content);
    if constexpr (sizeof...(more) > 0) members(more...);
  }
  /// Members in a row; also those with an empty text are left out.
  template <class T, class... More>
  void members_if(std::string_view name, const T& content, const More&... more) {
    if constexpr (std::convertible_to<const T&, std::string_view>)
      member_if(name, content);
    else
      members(name, content);
    if constexpr (sizeof...(more) > 0) members_if(more...);
  }

 private:
  void open(char bracket) {
    separate();
    out_.put(bracket);
    has_content_.push_back(false);
  }
  void close(char bracket) {
    const bool had_content = has_content_.back();
    has_content_.pop_back();
    if (had_content) new_line();
    out_.put(bracket);
    if (has_content_.empty() && indent_ > 0) out_.put('\n');
  }

  /// Writes the separator before a value or key.
  void separate() {
    if (after_key_) {
      after_key_ = false;
    } else if (!has_content_.empty()) {
      if (has_content_.back()) out_.put(',');
      has_content_.back() = true;
      new_line();
    }
  }
  void new_line() {
    if (indent_ <= 0) return;
    out_.put('\n');
    for (std::size_t i = 0; i < has_content_.size() * static_cast<std::size_t>(indent_); ++i) out_.put(' ');
  }

  void string(std::string_view text) {
    out_.put('"');
    std::size_t plain = 0;  // start of the text that can be written unchanged
    for (std::size_t at = 0; at < text.size();) {
      const utf8_unit unit = utf8_at(text, at);
      const char32_t c = unit.code_point;
      if (unit.valid && c >= 0x20 && c != 0x7F && c != '"' && c != '\\') {
        at += unit.size;
        continue;
      }
      write(text.substr(plain, at - plain));
      at += unit.size;
      plain = at;
      if (!unit.valid) {
        write("\xEF\xBF\xBD");
      } else if (const std::size_t named = std::string_view("\"\\\n\t\r").find(static_cast<char>(c)); named < 5) {
        out_.put('\\').put("\"\\ntr"[named]);
      } else {
        constexpr std::string_view hexadecimal = "0123456789abcdef";
        write("\\u00");
        out_.put(hexadecimal[c >> 4]).put(hexadecimal[c & 15]);
      }
    }
    write(text.substr(plain));
    out_.put('"');
  }
  void write(std::string_view text) { out_.write(text.data(), static_cast<std::streamsize>(text.size())); }

  std::ostream& out_;
  int indent_;
  bool after_key_ = false;
  std::vector<bool> has_content_;  ///< one entry per open bracket
};

namespace detail {
/// A number for JSON, which has no infinities.
inline double finite(double number) { return std::isfinite(number) ? number : 1e300; }
}  // namespace detail

/// The member `source`: a file of the user's program and its line, if the line is known (not 0). Nothing without a
/// file.
inline void write_source(json_writer& json, std::string_view file, std::int64_t line) {
  if (file.empty()) return;
  json.object("source", [&] { json.members("file", file, "line", line > 0 ? std::optional(line) : std::nullopt); });
}

}  // namespace hlolint::report
