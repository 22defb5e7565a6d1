// Fields of protobuf messages (protobuf_dumps.md 2). The wire format is protozero's; what it throws, and `bad_message`,
// is caught by `reading::guarded` and nowhere else.
#pragma once

#include <hlolint/text/record_list.hpp>

#if !__has_include(<protozero/pbf_reader.hpp>)
#error "reading protobuf dumps needs the headers of protozero 1.7 or newer (Debian: libprotozero-dev)"
#endif
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/varint.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <forward_list>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::protobuf {

using wire_type = protozero::pbf_wire_type;

/// What a message holds that XLA never writes.
class bad_message : public std::exception {
 public:
  explicit bad_message(std::string why) : why_(std::move(why)) {}
  const char* what() const noexcept override { return why_.c_str(); }

 private:
  std::string why_;
};

/// The most elements of one list. XLA's longest are operands of tuples and device numbers.
inline constexpr std::size_t most_elements = std::size_t{1} << 22;
/// The most levels of messages in one another: tuple shapes, shardings.
inline constexpr int deepest = 64;

/// Numbers of a field and its type in one, for `case`.
constexpr std::uint32_t varint(std::uint32_t tag) { return protozero::tag_and_type(tag, wire_type::varint); }
/// A message, a text or a packed list.
constexpr std::uint32_t sized(std::uint32_t tag) { return protozero::tag_and_type(tag, wire_type::length_delimited); }

/// One field of a message.
struct field {
  std::uint32_t tag = 0;
  wire_type type = wire_type::unknown;
  std::uint64_t bits = 0;  ///< of a number
  std::string_view bytes;  ///< of a message, a text or a packed list; never copied
  std::size_t missing = 0;  ///< how many of the bytes are beyond the end; see `for_each_field_until_end`

  std::uint32_t key() const { return protozero::tag_and_type(tag, type); }
  std::int64_t number() const { return static_cast<std::int64_t>(bits); }
  /// Of a float or double.
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

namespace detail {

template <bool UntilEnd, class Use>
void each_field(std::string_view message, Use&& use) {
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
        if (length > 0xFFFFFFFF || (length > left && !UntilEnd)) throw protozero::end_of_buffer_exception();
        const bool cut = length > left;
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

}  // namespace detail

/// Calls `use(field)` for the fields of a message, in the order of the bytes. Throws for what is no message.
template <class Use>
void for_each_field(std::string_view message, Use&& use) {
  detail::each_field<false>(message, use);
}
/// Reads the fields like the function above, but a field that the bytes end in counts as far as it goes.
template <class Use>
void for_each_field_until_end(std::string_view message, Use&& use) {
  detail::each_field<true>(message, use);
}

/// Adds the numbers of a field, packed or not.
inline void add_numbers(const field& f, record_list<std::int64_t>& to) {
  const auto add = [&](std::uint64_t value) {
    if (to.size() == most_elements)
      throw bad_message("a list of more than " + std::to_string(most_elements) + " numbers");
    to.push_back(static_cast<std::int64_t>(value));
  };
  if (f.type != wire_type::length_delimited) return add(f.bits);
  const char* at = f.bytes.data();
  for (const char* const end = at + f.bytes.size(); at != end;) add(protozero::decode_varint(&at, end));
}

/// All fields of a small message.
class message {
 public:
  message() = default;
  explicit message(std::string_view bytes) {
    for_each_field(bytes, [&](const field& f) {
      if (fields_.size() == most_elements)
        throw bad_message("more than " + std::to_string(most_elements) + " fields");
      fields_.push_back(f);
    });
  }

  bool has(std::uint32_t tag) const { return find(tag) != nullptr; }
  /// 0 if it is not there.
  std::int64_t number(std::uint32_t tag) const {
    const field* const f = find(tag);
    return f ? f->number() : 0;
  }
  double real(std::uint32_t tag) const {
    const field* const f = find(tag);
    return f ? f->real() : 0;
  }
  /// A message or a text; of several the messages are merged. Lives as long as this.
  std::string_view bytes(std::uint32_t tag) {
    std::string_view out;
    each(tag, [&](std::string_view next) {
      out = out.empty() ? next : std::string_view(joined_.emplace_front(std::string(out) + std::string(next)));
    });
    return out;
  }
  /// A text: of several the last.
  std::string_view text(std::uint32_t tag) const {
    const field* const f = find(tag);
    return f ? f->bytes : std::string_view();
  }
  record_list<std::int64_t> numbers(std::uint32_t tag) const {
    record_list<std::int64_t> out;
    for (const field& f : fields_)
      if (f.tag == tag) add_numbers(f, out);
    return out;
  }
  /// Calls `use(bytes)` for each message or text of this field.
  template <class Use>
  void each(std::uint32_t tag, Use&& use) const {
    for (const field& f : fields_)
      if (f.tag == tag && f.type == wire_type::length_delimited) use(f.bytes);
  }
  std::size_t count(std::uint32_t tag) const {
    std::size_t out = 0;
    for (const field& f : fields_) out += f.tag == tag;
    return out;
  }

 private:
  const field* find(std::uint32_t tag) const {
    for (std::size_t i = fields_.size(); i-- > 0;)
      if (fields_[i].tag == tag) return &fields_[i];
    return nullptr;
  }

  record_list<field> fields_;
  std::forward_list<std::string> joined_;
};

}  // namespace hlolint::protobuf
