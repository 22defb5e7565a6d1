#include "message.hpp"

#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/text/escape.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <iterator>
#include <utility>
#include <vector>

namespace hlolint::command::server {

namespace {

// No client sends more; every value takes some bytes of memory however short its text is.
constexpr std::size_t most_values = std::size_t{1} << 20, most_depth = 128;

// The bytes of a message as the parser gets them. The parser takes bytes one at a time and keeps a string twice, which
// is slow and large for the text of a document; so it gets only the beginning of a long string, and the rest is read
// here in runs.
class message_bytes {
 public:
  explicit message_bytes(frame_reader& from) : from_(from) {}

  int next() {
    const int byte = from_.get();
    if (escape_left_ > 0) {
      // Of `\u12EF` four more bytes belong to the escape.
      if (--escape_left_ == 0 && byte == 'u' && !in_code_) escape_left_ = 4, in_code_ = true;
      return byte;
    }
    in_code_ = false;
    if (byte == '"') {
      in_string_ = !in_string_, length_ = 0;
    } else if (in_string_ && byte == '\\') {
      escape_left_ = 1;
    } else if (in_string_ && ++length_ >= longest_ && byte >= 0x20 && byte < 0x80) {
      rest_.reserve(longest_ + std::min(from_.promised(), most_reserved_));
      rest_ += static_cast<char>(byte);
      in_string_ = false;
      return read_rest() ? '"' : invalid;
    }
    return byte;
  }

  /// The string that the parser has got, with its rest.
  std::string whole(std::string& begin) {
    if (rest_.empty()) return std::move(begin);
    rest_.insert(0, begin);
    return std::exchange(rest_, {});
  }

 private:
  static constexpr std::size_t longest_ = 4096, most_reserved_ = std::size_t{64} << 20;
  static constexpr int invalid = 1;  // no string has this byte

  // To the end of the string; false if it is none.
  bool read_rest() {
    for (std::string_view piece; !(piece = from_.piece()).empty();) {
      std::string_view plain = piece.substr(0, piece.find('\\'));
      plain = plain.substr(0, plain.find('"'));
      if (std::any_of(plain.begin(), plain.end(), [](unsigned char c) { return c < 0x20; })) return false;
      rest_ += plain;
      from_.skip(plain.size());
      if (plain.size() == piece.size()) continue;
      const int end = from_.get();
      if (end == '"') return true;
      if (end != '\\' || !read_escape()) return false;
    }
    return false;
  }

  bool read_escape() {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const int letter = from_.get();
    if (letter == 'u') return read_code();
    const std::size_t at = letter < 0 ? letters.npos : letters.find(static_cast<char>(letter));
    if (at == letters.npos) return false;
    rest_ += meanings[at];
    return true;
  }

  bool read_code() {
    std::uint32_t code = 0, low = 0;
    if (!read_digits(code) || (code >= 0xDC00 && code < 0xE000)) return false;
    if (code >= 0xD800 && code < 0xDC00) {
      if (from_.get() != '\\' || from_.get() != 'u' || !read_digits(low) || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    hlolint::detail::append_utf8(rest_, code);
    return true;
  }
  bool read_digits(std::uint32_t& code) {
    char digits[4];
    for (char& digit : digits) digit = static_cast<char>(from_.get());
    const auto read = std::from_chars(std::begin(digits), std::end(digits), code, 16);
    return read.ptr == std::end(digits);
  }

  frame_reader& from_;
  bool in_string_ = false, in_code_ = false;
  int escape_left_ = 0;
  std::size_t length_ = 0;
  std::string rest_;
};

class message_iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  message_iterator() = default;
  explicit message_iterator(message_bytes& of) : of_(&of) { ++*this; }
  reference operator*() const { return byte_; }
  message_iterator& operator++() {
    const int next = of_->next();
    byte_ = static_cast<char>(next);
    if (next < 0) of_ = nullptr;
    return *this;
  }
  message_iterator operator++(int) {
    message_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const message_iterator& a, const message_iterator& b) { return a.of_ == b.of_; }

 private:
  message_bytes* of_ = nullptr;
  char byte_ = 0;
};

// Builds a value from the events of the parser.
class message_builder {
 public:
  using number_integer_t = input::number_integer_t;
  using number_unsigned_t = input::number_unsigned_t;
  using number_float_t = input::number_float_t;
  using string_t = input::string_t;
  using binary_t = input::binary_t;

  message_builder(message_bytes& from, input& out) : from_(from), out_(out) {}
  reading result() const { return result_; }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t&) { return add(value); }
  bool string(string_t& value) { return add(from_.whole(value)); }
  bool binary(binary_t&) { return stop(reading::malformed); }
  bool start_object(std::size_t) { return open(input::object()); }
  bool start_array(std::size_t) { return open(input::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& name) {
    // Of equal names the last one counts, as in most readers of JSON.
    next_ = &(*open_.back())[from_.whole(name)];
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const std::exception&) { return stop(reading::malformed); }

 private:
  bool stop(reading why) {
    if (result_ == reading::whole) result_ = why;
    return false;
  }

  bool add(input value) {
    if (++count_ > most_values) return stop(reading::too_many_values);
    place(std::move(value));
    return true;
  }
  input& place(input value) {
    if (open_.empty()) return out_ = std::move(value);
    if (open_.back()->is_array()) return open_.back()->emplace_back(std::move(value));
    return *next_ = std::move(value);
  }
  bool open(input empty) {
    if (open_.size() == most_depth) return stop(reading::too_deep);
    if (++count_ > most_values) return stop(reading::too_many_values);
    open_.push_back(&place(std::move(empty)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  message_bytes& from_;
  input& out_;
  std::vector<input*> open_;
  input* next_ = nullptr;  // where the value of the key belongs
  std::size_t count_ = 0;
  reading result_ = reading::whole;
};

const input nothing;

}  // namespace

reading read_message(frame_reader& from, input& out) {
  message_bytes bytes(from);
  message_builder builder(bytes, out);
  const bool whole = input::sax_parse(message_iterator(bytes), message_iterator(), &builder);
  return whole ? reading::whole : builder.result() == reading::whole ? reading::malformed : builder.result();
}

const input& member(const input& of, std::string_view name) {
  if (!of.is_object()) return nothing;
  const auto found = of.find(std::string(name));
  return found == of.end() ? nothing : *found;
}

std::string text_member(const input& of, std::string_view name) {
  const input& found = member(of, name);
  return found.is_string() ? found.get<std::string>() : std::string{};
}

std::int64_t number_member(const input& of, std::string_view name, std::int64_t otherwise) {
  const input& found = member(of, name);
  if (found.is_number_unsigned()) {
    const auto value = found.get<std::uint64_t>();
    return value <= static_cast<std::uint64_t>(INT64_MAX) ? static_cast<std::int64_t>(value) : otherwise;
  }
  return found.is_number_integer() ? found.get<std::int64_t>() : otherwise;
}

bool flag_member(const input& of, std::string_view name) {
  const input& found = member(of, name);
  return found.is_boolean() && found.get<bool>();
}

std::string echoed(const std::string& text) {
  constexpr std::size_t most = 1000;
  return hlolint::report::shortened(text, most);
}

std::string text_of(const output& message) { return message.dump(-1, ' ', false, output::error_handler_t::replace); }

}  // namespace hlolint::command::server
