// Fields of protobuf messages (protobuf_dumps.md 2), read with protozero. Only `reading::guarded` catches the
// exceptions of protozero and `bad_message`.
#pragma once

#if !__has_include(<protozero/pbf_reader.hpp>)
#error "reading protobuf dumps needs the headers of protozero 1.7 or newer (Debian: libprotozero-dev)"
#endif
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <forward_list>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::protobuf {

using wire_type = protozero::pbf_wire_type;

/// A message holds something that XLA never writes.
class bad_message : public std::exception {
 public:
  explicit bad_message(std::string why) : why_(std::move(why)) {}
  const char* what() const noexcept override { return why_.c_str(); }

 private:
  std::string why_;
};

/// The most elements of one list. The longest lists of XLA are operands of tuples and device numbers.
inline constexpr std::size_t most_elements = std::size_t{1} << 22;
/// The most levels of nested messages, such as shapes of tuples and shardings.
inline constexpr int deepest = 64;

/// The number and the type of a field in one number, as it is in the bytes. `varint` is for a number, `sized` for a
/// message, a text or a packed list.
constexpr std::uint32_t varint(std::uint32_t tag) { return protozero::tag_and_type(tag, wire_type::varint); }
constexpr std::uint32_t sized(std::uint32_t tag) { return protozero::tag_and_type(tag, wire_type::length_delimited); }

/// One field of a message.
struct field {
  std::uint32_t tag = 0;
  wire_type type = wire_type::unknown;
  std::uint64_t bits = 0;   ///< of a number
  std::string_view bytes;   ///< of a message, a text or a packed list; never copied
  std::size_t missing = 0;  ///< how many bytes are cut off: see `cut_field`

  std::uint32_t key() const { return protozero::tag_and_type(tag, type); }
  std::int64_t number() const { return static_cast<std::int64_t>(bits); }
  /// The value of a float or a double.
  double real() const {
    if (type == wire_type::fixed32) {
      float out;
      const auto low = static_cast<std::uint32_t>(bits);
      std::memcpy(&out, &low, sizeof out);
      return static_cast<double>(out);
    }
    double out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
  }
};

/// What to do with a last field that is cut off.
enum class cut_field : bool { refused, used };

/// Calls `use(field)` for the fields of a message, in the order of the bytes. Throws if the bytes are not a message.
template <cut_field Cut = cut_field::refused, class Use>
void for_each_field(std::string_view message, Use&& use) {
  protozero::pbf_reader reader(protozero::data_view(message.data(), message.size()));
  while (reader.next()) {
    field f{reader.tag(), reader.wire_type(), 0, {}, 0};
    switch (f.type) {
      case wire_type::varint: f.bits = reader.get_uint64(); break;
      case wire_type::fixed64: f.bits = reader.get_fixed64(); break;
      case wire_type::fixed32: f.bits = reader.get_fixed32(); break;
      default: {
        const auto rest = reader.data();
        const char* at = rest.data();
        const char* const end = rest.data() + rest.size();
        const std::uint64_t length = protozero::decode_varint(&at, end);
        const auto left = static_cast<std::size_t>(end - at);
        const bool cut = length > left;
        if (length > 0xFFFFFFFF || (cut && Cut == cut_field::refused)) throw protozero::end_of_buffer_exception();
        f.bytes = {at, cut ? left : static_cast<std::size_t>(length)};
        f.missing = cut ? static_cast<std::size_t>(length) - left : 0;
        if (!cut) reader.skip();
        use(static_cast<const field&>(f));
        if (cut) return;
        continue;
      }
    }
    use(static_cast<const field&>(f));
  }
}

/// The last text of a field, without a list of all fields.
inline std::string_view text_field(std::string_view message, std::uint32_t tag) {
  std::string_view out;
  for_each_field(message, [&](const field& f) {
    if (f.key() == sized(tag)) out = f.bytes;
  });
  return out;
}

/// Adds the numbers of a field, which may be packed.
inline void add_numbers(const field& f, std::vector<std::int64_t>& to) {
  const auto add = [&](std::uint64_t value) {
    if (to.size() == most_elements)
      throw bad_message("a list of more than " + std::to_string(most_elements) + " numbers");
    to.push_back(static_cast<std::int64_t>(value));
  };
  if (f.type != wire_type::length_delimited) return add(f.bits);
  const char* at = f.bytes.data();
  for (const char* const end = at + f.bytes.size(); at != end;) add(protozero::decode_varint(&at, end));
}

/// Joins the parts of a message that is written in several, and keeps the joined text.
class joined_parts {
 public:
  void operator()(std::string_view& to, std::string_view more) {
    if (to.empty()) return void(to = more);
    size_ += to.size() + more.size();
    if (size_ > most) throw bad_message("too many parts of one message");
    to = texts_.emplace_front(std::string(to) + std::string(more));
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 24;

  std::forward_list<std::string> texts_;
  std::size_t size_ = 0;
};

/// All fields of a message that is not long.
class message {
 public:
  message() = default;
  explicit message(std::string_view bytes) { read(bytes); }
  /// Replaces the fields, and keeps their memory.
  void read(std::string_view bytes) {
    fields_.clear();
    for_each_field(bytes, [&](const field& f) {
      if (fields_.size() == most_elements) throw bad_message("more than " + std::to_string(most_elements) + " fields");
      fields_.push_back(f);
    });
  }

  bool has(std::uint32_t tag) const { return count(tag) > 0; }
  /// 0 if the field is missing.
  std::int64_t number(std::uint32_t tag) const {
    const field* const f = find(varint(tag));
    return f ? f->number() : 0;
  }
  bool flag(std::uint32_t tag) const { return number(tag) != 0; }
  /// A float or a double.
  double real(std::uint32_t tag) const {
    for (const wire_type type : {wire_type::fixed32, wire_type::fixed64})
      if (const field* const f = find(protozero::tag_and_type(tag, type))) return f->real();
    return 0;
  }
  /// A message. Its parts are joined if it is written in several. Valid as long as this object.
  std::string_view bytes(std::uint32_t tag) const {
    std::string_view out;
    for (const std::string_view part : all(tag)) join_(out, part);
    return out;
  }
  /// A text: the last one if there are several.
  std::string_view text(std::uint32_t tag) const {
    const field* const f = find(sized(tag));
    return f ? f->bytes : std::string_view();
  }
  std::vector<std::int64_t> numbers(std::uint32_t tag) const {
    std::vector<std::int64_t> out;
    for (const field& f : fields_)
      if (f.tag == tag) add_numbers(f, out);
    return out;
  }
  /// The messages or texts of a repeated field.
  std::vector<std::string_view> all(std::uint32_t tag) const {
    std::vector<std::string_view> out;
    for (const field& f : fields_)
      if (f.key() == sized(tag)) out.push_back(f.bytes);
    return out;
  }
  std::size_t count(std::uint32_t tag) const {
    std::size_t out = 0;
    for (const field& f : fields_) out += f.tag == tag;
    return out;
  }
  /// Which of several fields is written last; 0 if none is written.
  std::uint32_t last_of(std::initializer_list<std::uint32_t> tags) const {
    for (std::size_t i = fields_.size(); i-- > 0;)
      if (std::find(tags.begin(), tags.end(), fields_[i].tag) != tags.end()) return fields_[i].tag;
    return 0;
  }

 private:
  const field* find(std::uint32_t key) const {
    for (std::size_t i = fields_.size(); i-- > 0;)
      if (fields_[i].key() == key) return &fields_[i];
    return nullptr;
  }

  std::vector<field> fields_;
  mutable joined_parts join_;
};

}  // namespace hlolint::protobuf
