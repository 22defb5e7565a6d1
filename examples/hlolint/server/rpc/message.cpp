#include "message.hpp"

#include <exception>
#include <utility>
#include <vector>

namespace hlolint::command::server {

namespace {

// Nobody sends more; every value takes some bytes of memory however short its text is.
constexpr std::size_t most_values = std::size_t{1} << 20, most_depth = 128;

// Builds a value from the events of the parser.
class message_builder {
 public:
  using number_integer_t = input::number_integer_t;
  using number_unsigned_t = input::number_unsigned_t;
  using number_float_t = input::number_float_t;
  using string_t = input::string_t;
  using binary_t = input::binary_t;

  explicit message_builder(input& out) : out_(out) {}
  reading result() const { return result_; }

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(number_integer_t value) { return add(value); }
  bool number_unsigned(number_unsigned_t value) { return add(value); }
  bool number_float(number_float_t value, const string_t&) { return add(value); }
  bool string(string_t& value) { return add(std::move(value)); }
  bool binary(binary_t&) { return stop(reading::malformed); }
  bool start_object(std::size_t) { return open(input::object()); }
  bool start_array(std::size_t) { return open(input::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(string_t& name) {
    // Of equal names the last one counts, as in most readers of JSON.
    next_ = &(*open_.back())[std::move(name)];
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

  input& out_;
  std::vector<input*> open_;
  input* next_ = nullptr;  // where the value of the key belongs
  std::size_t count_ = 0;
  reading result_ = reading::whole;
};

const input nothing;

}  // namespace

reading read_message(frame_reader& from, input& out) {
  message_builder builder(out);
  const bool whole = input::sax_parse(frame_iterator(from), frame_iterator(), &builder);
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

std::string text_of(const output& message) { return message.dump(-1, ' ', false, output::error_handler_t::replace); }

}  // namespace hlolint::command::server
