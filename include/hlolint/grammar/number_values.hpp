// Attribute values made of numbers: lists of lists, slices, windows, paddings, dimension labels (hlo_text.md 7).
#pragma once

#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/operation_values.hpp>

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// `{{0,1},{2,3}}`
inline bool read_integer_lists(const char*& first, const char* last, parse_state& s,
                               std::vector<std::vector<std::int64_t>>* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  if (!take(p, last, '}')) {
    do {
      if (out) out->emplace_back();
      if (!read_braced_integers(p, last, s, out ? &out->back() : nullptr)) {
        s.fail(p, last, "a list of integers in braces");
        return false;
      }
    } while (take(p, last, ','));
    if (!take(p, last, s, '}', "a list of integers, ',' or '}'")) return false;
  }
  first = p;
  return true;
}
/// `{{0,1},{1,0}}`
using integer_pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;
inline bool read_pairs(const char*& first, const char* last, parse_state& s, integer_pairs* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  if (!take(p, last, '}')) {
    do {
      std::array<std::int64_t, 2> one{};
      if (!read_exactly<2>(p, last, s, &one)) {
        s.fail(p, last, "a pair of integers in braces");
        return false;
      }
      if (out) out->emplace_back(one[0], one[1]);
    } while (take(p, last, ','));
    if (!take(p, last, s, '}', "a pair, ',' or '}'")) return false;
  }
  first = p;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_integer_lists> integer_lists{};
inline constexpr value_parser<&read_pairs> pairs{};
}  // namespace tokens

/// `[0:4]` or `[0:8:2]`
inline bool read_slice(const char*& first, const char* last, parse_state& s, slice_range* out) {
  const char* p = first;
  std::vector<std::int64_t> parts;
  if (!read_integers(p, last, s, &parts, '[', ']', ':') || (parts.size() != 2 && parts.size() != 3)) {
    s.fail(first, last, "[start:limit] or [start:limit:stride]");
    return false;
  }
  if (out) *out = {parts[0], parts[1], parts.size() == 3 ? parts[2] : 1};
  first = p;
  return true;
}
/// `{[0:4], [0:8:2]}`
struct slices_id {};
inline constexpr x3::rule<slices_id, hlolint::slices> slices_{"slices"};
inline constexpr auto slices__def =
    in_braces("[start:limit], ',' or '}'")[append<&hlolint::slices::dimensions>[value_parser<&read_slice>{}]];

/// The number at the start of a text that a scan has checked; the text goes on behind it. Too large a one is cut.
inline std::int64_t take_integer(std::string_view& text) {
  std::int64_t value = 0;
  const char* const begin = text.data();
  const auto end = std::from_chars(begin, begin + text.size(), value).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - begin));
  return value;
}
/// Drops a separator; false at the end.
inline bool take(std::string_view& text, char separator) {
  if (text.empty() || text.front() != separator) return false;
  text.remove_prefix(1);
  return true;
}

/// `0_0_0x1_2_0`
[[gnu::cold]] inline bool read_padding(const char*& first, const char* last, parse_state&, padding_config* out) {
  std::string_view text;
  if (!take_text(first, last, scan_value::padding, text)) return false;
  if (!out) return true;
  do {
    padding_dimension d;
    d.low = take_integer(text);
    if (take(text, '_')) d.high = take_integer(text);
    if (take(text, '_')) d.interior = take_integer(text);
    out->dimensions.push_back(d);
  } while (take(text, 'x'));
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_padding> padding{};
}

/// One part of dimension labels: no letter or digit twice, digits below the number of spatial dimensions.
[[gnu::cold]] inline bool read_labels(parse_state& s, std::string_view text, std::string_view letters,
                                      convolution_dimension_numbers::part& out) {
  std::array<bool, 256> seen{};
  std::size_t spatial = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '?') continue;
    if (seen[static_cast<unsigned char>(c)]) {
      s.broke(text.data() + i, say({"'", text.substr(i, 1), "' stands twice in ", text}));
      return false;
    }
    seen[static_cast<unsigned char>(c)] = true;
    spatial += c >= '0' && c <= '9';
  }
  out.spatial.resize(spatial);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto at = static_cast<std::int64_t>(i);
    if (c == letters[0])
      out.first = at;
    else if (c == letters[1])
      out.second = at;
    else if (c != '?' && static_cast<std::size_t>(c - '0') < spatial)
      out.spatial[static_cast<std::size_t>(c - '0')] = at;
    else if (c != '?') {
      s.broke(text.data() + i,
              say({"'", text.substr(i, 1), "' in ", text, ", which has ", spatial, " spatial dimensions"}));
      return false;
    }
  }
  return true;
}
/// `b01f_01io->b01f`; all three parts have the same number of spatial dimensions.
[[gnu::cold]] inline bool read_dim_labels(const char*& first, const char* last, parse_state& s,
                                          convolution_dimension_numbers* out) {
  std::string_view text;
  if (!take_text(first, last, scan_value::dim_labels, text)) return false;
  const std::size_t bar = text.find('_'), dash = text.find('-');
  convolution_dimension_numbers value;
  const bool fine = read_labels(s, text.substr(0, bar), "bf", value.input) &&
                    read_labels(s, text.substr(bar + 1, dash - bar - 1), "io", value.kernel) &&
                    read_labels(s, text.substr(dash + 2), "bf", value.output);
  const std::size_t in = value.input.spatial.size(), kernel = value.kernel.spatial.size(),
                    result = value.output.spatial.size();
  if (fine && (in != kernel || in != result))
    s.broke(text.data(), say({"input, kernel and output have different numbers of spatial dimensions: ", in, ", ",
                              kernel, " and ", result}));
  if (out) *out = std::move(value);
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_dim_labels> dim_labels{};
}

/// The fields of a window as texts.
struct window_text {
  std::string_view size, stride, lhs_dilate, rhs_dilate, rhs_reversal, pad;
};

namespace value_rules {

inline constexpr std::array<std::string_view, 6> window_keys{"size",       "stride",       "lhs_dilate",
                                                             "rhs_dilate", "rhs_reversal", "pad"};
inline constexpr std::array window_fields{&window_text::size,         &window_text::stride,
                                          &window_text::lhs_dilate,   &window_text::rhs_dilate,
                                          &window_text::rhs_reversal, &window_text::pad};
constexpr std::size_t dimension_count(std::string_view text) {
  std::size_t count = !text.empty();
  for (const char c : text) count += c == 'x';
  return count;
}

}  // namespace value_rules

/// `{size=3x3 stride=2x2 pad=0_1x0_1}`: each field once, all with as many dimensions as `size`.
[[gnu::cold]] inline bool read_window(const char*& first, const char* last, parse_state& s, window_text* out) {
  using namespace value_rules;
  const char* p = first;
  if (!take(p, last, '{')) return false;
  window_text value;
  for (std::string_view name; take_key(p, last, name);) {
    std::size_t field = 0;
    while (field < window_keys.size() && window_keys[field] != name) ++field;
    if (field == window_keys.size()) {
      s.fail(name.data(), last, "size=, stride=, pad=, lhs_dilate=, rhs_dilate= or rhs_reversal=");
      return false;
    }
    std::string_view& text = value.*window_fields[field];
    if (!text.empty()) s.broke(name.data(), say({"the window has ", name, " twice"}));
    const bool pad = name == "pad";
    if (!take_text(p, last, pad ? scan_value::window_padding : scan_value::extents, text)) {
      s.fail(p, last, pad ? "a padding such as 0_1x0_1" : "sizes such as 3x3");
      return false;
    }
  }
  if (!take(p, last, s, '}', "a field of the window or '}'")) return false;
  const std::size_t rank = dimension_count(value.size);
  for (const auto field : window_fields)
    if (const std::string_view text = value.*field; !text.empty() && dimension_count(text) != rank)
      s.broke(text.data(),
              say({"the window's size has ", rank, " dimensions, but '", text, "' has ", dimension_count(text)}));
  if (out) *out = value;
  first = p;
  return true;
}
inline namespace tokens {
inline constexpr value_parser<&read_window> window{};
}

BOOST_SPIRIT_DEFINE(slices_)

}  // namespace hlolint::grammar
