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
/// The ranges of a slice; nothing if they are not written or cannot be read.
inline std::optional<slice_ranges> ranges_of(const hlo_instruction& i) {
  const auto text = i.attribute(attribute_key::slice);
  if (!text) return std::nullopt;
  std::optional<slice_ranges> out(std::in_place);
  if (take_ranges(*text, *out)) return out;
  const auto list = get<slices>(i);
  return list ? std::optional<slice_ranges>(std::in_place, list->dimensions.begin(), list->dimensions.end())
              : std::nullopt;
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
/// The paddings of a pad; nothing if they are not written or cannot be read.
inline std::optional<paddings> paddings_of(const hlo_instruction& i) {
  const auto text = i.attribute(attribute_key::padding);
  if (!text) return std::nullopt;
  std::optional<paddings> out(std::in_place);
  if (take_paddings(*text, *out)) return out;
  const auto list = get<padding_config>(i);
  return list ? std::optional<paddings>(std::in_place, list->dimensions.begin(), list->dimensions.end()) : std::nullopt;
}

}  // namespace hlolint::module_rules
