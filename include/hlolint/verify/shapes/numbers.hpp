// The numbers of attributes as XLA prints them, read without allocating; the grammar reads all other forms.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/printed/place.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/inlined_vector.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace hlolint::module_rules {

/// `{0,2}` as XLA prints it.
inline bool take_numbers(std::string_view text, dimension_numbers& out) {
  grammar::printed::place at{text.data(), text.data() + text.size()};
  if (!at.take('{')) return false;
  std::int64_t number = 0;
  if (!at.is('}')) do {
      if (!at.take_number(number)) return false;
      out.push_back(number);
    } while (at.take(','));
  return at.take('}') && at.p == at.last;
}
/// The numbers of an attribute, none if it is not written; nothing if it cannot be read.
inline std::optional<dimension_numbers> numbers_of(const hlo_instruction& i, attribute_key key) {
  std::optional<dimension_numbers> out(std::in_place);
  const auto text = i.attribute(key);
  if (!text || take_numbers(*text, *out)) return out;
  const auto list = get_integers(i, key);
  return list ? std::optional<dimension_numbers>(std::in_place, list->begin(), list->end()) : std::nullopt;
}

/// The ranges of a slice.
using slice_ranges = inlined_vector<slice_range, inlined_rank>;
/// `{[0:4], [0:8:2]}` as XLA prints it.
inline bool take_ranges(std::string_view text, slice_ranges& out) {
  grammar::printed::place at{text.data(), text.data() + text.size()};
  if (!at.take('{')) return false;
  slice_range range;
  if (!at.is('}')) do {
      range.stride = 1;
      if (!at.take('[') || !at.take_number(range.start) || !at.take(':') || !at.take_number(range.limit)) return false;
      if ((at.take(':') && !at.take_number(range.stride)) || !at.take(']')) return false;
      out.push_back(range);
    } while (at.take(", "));
  return at.take('}') && at.p == at.last;
}

/// The paddings of a pad.
using paddings = inlined_vector<padding_dimension, inlined_rank>;
/// `0_1x2_0_1` as XLA prints it, without negative numbers.
inline bool take_paddings(std::string_view text, paddings& out) {
  grammar::printed::place at{text.data(), text.data() + text.size()};
  do {
    padding_dimension d;
    if (!at.take_number(d.low) || !at.take('_') || !at.take_number(d.high)) return false;
    if (at.take('_') && !at.take_number(d.interior)) return false;
    out.push_back(d);
  } while (at.take('x'));
  return at.p == at.last;
}

/// The windows of a convolution or a reduce-window.
using window_dimensions = inlined_vector<window_dimension, inlined_rank>;
/// `{size=3x3 stride=2x2 pad=0_1x0_1}` as XLA prints it, without negative numbers.
inline bool take_window(std::string_view text, window_dimensions& out) {
  grammar::printed::place at{text.data(), text.data() + text.size()};
  if (!at.take("{size=")) return false;
  do {
    if (!at.take_number(out.emplace_back().size)) return false;
  } while (at.take('x'));
  const auto take_each = [&](auto take_one) {
    for (window_dimension& d : out)
      if ((&d != out.data() && !at.take('x')) || !take_one(d)) return false;
    return true;
  };
  if (at.take(" stride=") && !take_each([&](window_dimension& d) { return at.take_number(d.stride); })) return false;
  if (at.take(" pad=") && !take_each([&](window_dimension& d) {
        return at.take_number(d.padding_low) && at.take('_') && at.take_number(d.padding_high);
      }))
    return false;
  if (at.take(" lhs_dilate=") && !take_each([&](window_dimension& d) { return at.take_number(d.base_dilation); }))
    return false;
  if (at.take(" rhs_dilate=") && !take_each([&](window_dimension& d) { return at.take_number(d.window_dilation); }))
    return false;
  return at.take('}') && at.p == at.last;
}
/// The dimensions of an attribute of type `Value`; nothing if it is not written or cannot be read.
template <class Value, class List>
std::optional<List> dimensions_of(const hlo_instruction& i, bool (*take_printed)(std::string_view, List&)) {
  const auto text = i.attribute(Value::key);
  if (!text) return std::nullopt;
  std::optional<List> out(std::in_place);
  if (take_printed(*text, *out)) return out;
  const auto value = get<Value>(i);
  return value ? std::optional<List>(std::in_place, value->dimensions.begin(), value->dimensions.end()) : std::nullopt;
}
/// The ranges of a slice.
inline auto ranges_of(const hlo_instruction& i) { return dimensions_of<slices>(i, take_ranges); }
/// The paddings of a pad.
inline auto paddings_of(const hlo_instruction& i) { return dimensions_of<padding_config>(i, take_paddings); }
/// The windows of a convolution or a reduce-window, none if they are not written.
inline auto windows_of(const hlo_instruction& i) {
  return i.has(attribute_key::window) ? dimensions_of<window>(i, take_window)
                                      : std::optional<window_dimensions>(std::in_place);
}

}  // namespace hlolint::module_rules
