// Values of attributes as XLA prints them, in the forms that nearly all lines have. None of these can break a rule.
#pragma once

#include <hlolint/grammar/attributes/metadata.hpp>
#include <hlolint/grammar/attributes/table.hpp>
#include <hlolint/grammar/printed/place.hpp>
#include <hlolint/text/name_table.hpp>
#include <hlolint/text/stop.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace hlolint::grammar::printed {

/// The names of the fields of metadata: first those of strings, then those of numbers of 32 bits.
inline constexpr auto metadata_fields =
    std::apply([](const auto&... field) { return std::array<std::string_view, sizeof...(field)>{field.name...}; },
               std::tuple_cat(metadata_rules::strings, metadata_rules::numbers));
inline constexpr std::size_t metadata_strings =
    std::tuple_size_v<std::remove_const_t<decltype(metadata_rules::strings)>>;

/// The text `key=` of 8 to 24 bytes: eight bytes from its beginning, its middle and its end, which may overlap.
struct field_text {
  std::uint64_t head = 0, middle = 0, tail = 0;
  std::size_t size = 0, middle_at = 0;
};
inline constexpr auto field_texts = [] {
  std::array<field_text, metadata_fields.size()> out{};
  for (std::size_t k = 0; k != out.size(); ++k) {
    char text[32] = {};
    std::size_t n = 0;
    for (const char c : metadata_fields[k]) text[n++] = c;
    text[n++] = '=';
    if (n < 8 || n > 24) hlolint::detail::stop_at_wrong_table("three parts do not cover this field");
    const std::size_t middle = n > 16 ? 8 : 0;
    const auto load = [&](std::size_t at) { return hlolint::detail::load(text + at, 8); };
    out[k] = {load(0), load(middle), load(n - 8), n, middle};
  }
  return out;
}();

/// For each field of metadata, the field that last followed it: in most lines the fields come in the same order.
class field_order {
 public:
  static constexpr std::size_t first = metadata_fields.size();  ///< before the first field

  /// Takes `key=` and returns the field; `first` if none of the fields stands here.
  std::size_t take_key(place& at, std::size_t before) {
    if (at.left() < 32) return first;
    const std::uint64_t head = hlolint::detail::load8(at.p);
    std::size_t found = next_[before];
    if (!is_here(at, head, found)) {
      for (found = 0; !is_here(at, head, found);)
        if (++found == first) return first;
      next_[before] = static_cast<std::uint8_t>(found);
    }
    at.p += field_texts[found].size;
    return found;
  }

 private:
  static bool is_here(const place& at, std::uint64_t head, std::size_t field) {
    const field_text& text = field_texts[field];
    return text.head == head && hlolint::detail::load8(at.p + text.size - 8) == text.tail &&
           hlolint::detail::load8(at.p + text.middle_at) == text.middle;
  }
  std::array<std::uint8_t, metadata_fields.size() + 1> next_{};
};

/// `{op_name="..." source_line=3}`: known fields, each at most once, with one blank between them.
inline bool take_metadata(place& at, field_order& order) {
  place now = at;
  if (!now.take('{')) return false;
  std::size_t field = field_order::first;
  for (std::uint32_t seen = 0;;) {
    field = order.take_key(now, field);
    if (field == field_order::first || (seen >> field & 1u)) return false;
    seen |= 1u << field;
    if (field < metadata_strings ? !now.take_string() : !now.take_digits(9)) return false;
    if (now.take('}')) return at = now, true;
    if (!now.take(' ')) return false;
  }
}

/// `{0,1}`; `count` is how many numbers there are.
inline bool take_integers(place& at, std::size_t& count) {
  place now = at;
  count = 0;
  if (!now.take('{')) return false;
  if (!now.take('}')) {
    do {
      if (!now.take_digits()) return false;
      ++count;
    } while (now.take(','));
    if (!now.take('}')) return false;
  }
  at = now;
  return true;
}
/// `{{0,1},{2,3}}`: lists of `size` numbers, or of any number of them if `size` is 0.
inline bool take_integer_lists(place& at, std::size_t size) {
  place now = at;
  if (!now.take('{')) return false;
  std::size_t count = 0;
  do {
    if (!take_integers(now, count) || (size != 0 && count != size)) return false;
  } while (now.take(','));
  if (!now.take('}')) return false;
  at = now;
  return true;
}
/// `kLoop`, `GT`: one of the words, as a whole word.
template <std::size_t... N>
bool take_word(place& at, const char (&... words)[N]) {
  place now = at;
  if (!(now.take(words) || ...) || now.p == now.last || scan::is(scan::name_bytes, *now.p)) return false;
  at = now;
  return true;
}

/// The value after `key=`, for keys whose values have one plain form. False for all others.
inline bool take_value(place& at, attribute_key key, field_order& fields) {
  std::size_t count = 0;
  switch (key) {
    using enum attribute_key;
    case metadata: return take_metadata(at, fields);
    case backend_config: {
      if (at.take_string()) return true;
      const char* const end = scan::dictionary(at.p, at.last);
      return end && (at.p = end, true);
    }
    case custom_call_target:
    case infeed_config:
    case outfeed_config:
    case async_execution_thread: return at.take_string();
    case slice_sizes: return take_integers(at, count);
    case channel_id: return at.take_digits();
    case cross_program_prefetch_index: return at.take_digits(9);
    case kind: return take_word(at, "kLoop", "kInput", "kOutput", "kCustom");
    case direction: return take_word(at, "EQ", "NE", "GE", "GT", "LE", "LT");
    case replica_groups: return take_integer_lists(at, 0);
    case source_target_pairs: return take_integer_lists(at, 2);
    case sharding: return at.take("{replicated}");
    default: break;
  }
  if (keys::integer_lists::has(key)) return take_integers(at, count);
  if (keys::integers::has(key)) return at.take_digits();
  return keys::booleans::has(key) && at.take_boolean();
}

}  // namespace hlolint::grammar::printed
