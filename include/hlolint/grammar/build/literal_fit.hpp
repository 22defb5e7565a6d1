// Whether a literal fits its shape: its nesting, its numbers of elements, the range of every element (hlo_text.md 6).
#pragma once

#include <hlolint/grammar/attributes/number_tokens.hpp>
#include <hlolint/ir/shape.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/str_cat.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar {

/// The range of a floating-point type.
struct float_range {
  double largest = 0;  ///< finite
  int mantissa_bits = 0;
  bool saturates = false;    ///< the type has no infinity, so that larger values are taken
  bool has_payload = false;  ///< not-a-number may have a payload
  int safe_digits = 0;       ///< every number below 10 to this power is in range
  bool positive = false;     ///< the type has neither 0 nor negative numbers
};

inline constexpr auto float_ranges = [] {
  using enum element_type;
  std::array<float_range, element_type_names.size()> out{};
  const auto set = [&](element_type of, const float_range& range) { out[static_cast<std::size_t>(of)] = range; };
  set(f16, {65504, 10, false, true, 4});
  set(bf16, {3.3895313892515355e38, 7, false, true, 38});
  set(f32, {3.4028234663852886e38, 23, false, true, 38});
  set(c64, {3.4028234663852886e38, 23, false, true, 38});
  set(f64, {1.7976931348623157e308, 52, false, true, 308});
  set(c128, {1.7976931348623157e308, 52, false, true, 308});
  set(f8e5m2, {57344, 2, false, true, 4});
  set(f8e4m3, {240, 3, false, true, 2});
  set(f8e3m4, {15.5, 4, false, true, 1});
  set(f8e4m3fn, {448, 3, false, false, 2});
  set(f8e4m3b11fnuz, {30, 3, false, false, 1});
  set(f8e5m2fnuz, {57344, 2, false, false, 4});
  set(f8e4m3fnuz, {240, 3, false, false, 2});
  set(f8e8m0fnu, {170141183460469231731687303715884105728.0, 0, false, false, 0, true});
  set(f4e2m1fn, {6, 1, true, false, 308});
  set(f6e2m3fn, {7.5, 3, true, false, 308});
  set(f6e3m2fn, {28, 2, true, false, 308});
  return out;
}();
/// `largest` is 0 for types that are not floats.
constexpr const float_range& float_range_of(element_type type) { return float_ranges[static_cast<std::size_t>(type)]; }

/// The range of an integer type. Types of 64 bits and pred take every integer that can be read.
struct integer_range {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t largest = std::numeric_limits<std::int64_t>::max();
};
constexpr integer_range integer_range_of(element_type type) {
  const int bits = bit_width(type);
  if (type == element_type::pred || bits >= 64) return {};
  if (name_of(type)[0] == 'u') return {0, (std::int64_t{1} << bits) - 1};
  return {-(std::int64_t{1} << (bits - 1)), (std::int64_t{1} << (bits - 1)) - 1};
}

enum class literal_kind : std::uint8_t { of_unknown_type, tuple_elements, array_elements };
/// Takes the tokens of a literal from its rule, one function per token. The parse state notes the first one that does
/// not fit, and `misfits()` is true from then on.
class literal_fit {
 public:
  literal_kind wanted() const {
    return of_unknown_type() ? literal_kind::of_unknown_type
           : of_tuple()      ? literal_kind::tuple_elements
                             : literal_kind::array_elements;
  }
  literal_fit(const shape& type, parse_state& state) : state_(state) { expect(type); }

  bool misfits() const { return !fits_; }
  bool of_tuple() const { return shape_->is_tuple(); }
  bool of_scalar() const { return shape_->is_array() && shape_->dimensions.empty(); }
  bool of_complex() const { return shape_->type == element_type::c64 || shape_->type == element_type::c128; }
  /// The type is not known, or no shape is written: no element is checked.
  bool of_unknown_type() const { return shape_->type == element_type::unknown; }
  /// False for tokens and opaque values, which have no literals.
  bool of_array(std::string_view where) {
    return shape_->is_array() || breaks(where, str_cat({"there are no literals of ", name_of(shape_->type)}));
  }

  // ---------------------------------------------------------------- tuples
  bool open_tuple() {
    tuples_.push_back({shape_, 0});
    return true;
  }
  bool next_element(std::string_view where) {
    auto& [tuple, done] = tuples_.back();
    if (done == tuple->elements.size())
      return breaks(where, str_cat({"the tuple has ", done, " elements, but more are written"}));
    expect(tuple->elements[done++]);
    return true;
  }
  /// `()` stands for any tuple.
  bool close_tuple(std::string_view where) {
    const auto [tuple, done] = tuples_.back();
    if (done != 0 && done != tuple->elements.size())
      return breaks(where,
                    str_cat({"the tuple has ", tuple->elements.size(), " elements, but ", done, " are written"}));
    tuples_.pop_back();
    return true;
  }

  // ---------------------------------------------------------------- arrays
  bool open(std::string_view brace) {
    if (level_ == rank())
      return breaks(brace, str_cat({"the shape has ", rank(), " dimensions, but the braces nest deeper"}));
    if (level_ > 0 && !count(brace, level_ - 1)) return false;
    ++level_;
    return true;
  }
  bool close(std::string_view brace) {
    --level_;
    const std::int64_t wanted = shape_->dimensions[level_].size;
    if (wanted != dimension::unbounded && seen_[level_] != wanted)
      return breaks(brace, str_cat({"dimension ", level_, place(level_), " has ", wanted, " elements, but ",
                                    seen_[level_], " are written"}));
    seen_[level_] = 0;
    return true;
  }
  /// `...` stands for all elements that are left.
  bool rest(std::string_view dots) {
    if (level_ != 1) return breaks(dots, "'...' can only stand for elements of the outermost braces");
    seen_[0] = shape_->dimensions[0].size;
    return true;
  }
  bool boolean(std::string_view written) {
    return element(written) && (shape_->type == element_type::pred || wrong_type(written));
  }
  bool number(number_text&& n) {
    return element(n.text) &&
           (float_range_of(shape_->type).largest > 0 && !of_complex() ? fits_float(n) : fits_integer(n));
  }
  bool complex(std::string_view where) { return element(where); }
  bool part(number_text&& n) {
    if ((n.written == number_text::kind::integer && !fits_64_bits(n)) || !fits_payload(n)) return false;
    const number_value read = value_of_number(n);
    return (!read.too_large && !beyond(read.value, float_range_of(shape_->type).largest)) ||
           breaks(n.text, str_cat({n.text, " is out of the range of the parts of ", name_of(shape_->type)}));
  }

 private:
  struct open_tuple_literal {
    const shape* type;
    std::size_t done;
  };

  void expect(const shape& type) {
    shape_ = &type;
    level_ = 0;
    elements_ = 0;
    most_ = 1;
    seen_.clear();
    seen_.resize(type.rank());
    for (const dimension& d : type.dimensions) {
      if (d.size == dimension::unbounded) continue;
      most_ = checked_multiply(most_, d.size).value_or(std::numeric_limits<std::int64_t>::max());
    }
  }
  std::size_t rank() const { return shape_->rank(); }

  [[gnu::noinline, gnu::cold]] bool breaks(std::string_view where, std::string message) {
    if (fits_) state_.broke(where.data(), std::move(message));
    return fits_ = false;
  }
  bool wrong_type(std::string_view what) {
    return breaks(what, str_cat({what, " is no value of ", name_of(shape_->type)}));
  }
  /// ` of element 1,0`: the place in the dimensions outside dimension `d`, for messages.
  std::string place(std::size_t d) const {
    std::string out;
    for (std::size_t i = 0; i < d; ++i) out = str_cat({out, i ? "," : " of element ", seen_[i] - 1});
    return out;
  }
  /// Counts one more element of a dimension.
  bool count(std::string_view where, std::size_t d) {
    const std::int64_t most = shape_->dimensions[d].size;
    if (most != dimension::unbounded && seen_[d] >= most)
      return breaks(where, str_cat({"dimension ", d, place(d), " has ", most, " elements, but more are written"}));
    ++seen_[d];
    return true;
  }
  bool element(std::string_view where) {
    if (level_ != rank()) {
      // A bare scalar sets the first element of an array: XLA accepts it, and its tests use it. Not of complex numbers.
      if (level_ == 0 && elements_ == 0 && most_ > 0 && !of_complex()) return ++elements_, true;
      return breaks(where,
                    str_cat({"an element stands in ", level_, " braces, but the shape has ", rank(), " dimensions"}));
    }
    if (rank() > 0 && !count(where, rank() - 1)) return false;
    return ++elements_ <= most_ || breaks(where, str_cat({"the shape has ", most_, " elements, but more are written"}));
  }

  bool fits_integer(const number_text& n) {
    if (n.written != number_text::kind::integer || of_complex()) return wrong_type(n.text);
    const integer_range range = integer_range_of(shape_->type);
    std::int64_t value = 0;
    if (!scan::integer_value(n.text.data(), n.text.data() + n.text.size(), value))
      return breaks(n.text, str_cat({n.text, " does not fit in 64 bits"}));
    return (value >= range.least && value <= range.largest) ||
           breaks(n.text, str_cat({value, " is out of the range of ", name_of(shape_->type), ", [", range.least, ", ",
                                   range.largest, "]"}));
  }
  /// A number without a point and an exponent has to be an integer of 64 bits.
  bool fits_64_bits(const number_text& n) {
    std::int64_t value = 0;
    return n.text.size() < 19 || scan::integer_value(n.text.data(), n.text.data() + n.text.size(), value) ||
           breaks(n.text, str_cat({n.text, " does not fit in 64 bits"}));
  }
  bool fits_float(const number_text& n) {
    const float_range range = float_range_of(shape_->type);
    const std::string_view type = name_of(shape_->type);
    if (n.written == number_text::kind::integer && !fits_64_bits(n)) return false;
    if (static_cast<int>(n.text.size()) <= range.safe_digits && n.text.find_first_of("eEn") == n.text.npos) return true;
    const number_value read = value_of_number(n);
    if (read.too_large) return breaks(n.text, str_cat({n.text, " is out of the range of a double"}));
    if (n.payload && !range.has_payload)
      return breaks(n.text, str_cat({type, " has no payload for not-a-number, found ", n.text}));
    if (!fits_payload(n)) return false;
    if (range.positive && read.value <= 0 && n.written != number_text::kind::infinity)
      return breaks(n.text, str_cat({n.text, " is out of the range of ", type, ", which has positive numbers only"}));
    // A value is rounded to the type first: half a unit in the last place above the largest value is still in range.
    double half_unit = range.largest;
    for (int bit = -2; bit < range.mantissa_bits; ++bit) half_unit /= 2;
    return range.saturates || !beyond(read.value, range.largest + half_unit * 1.0001) ||
           breaks(n.text, str_cat({n.text, " is out of the range of ", type}));
  }
  bool fits_payload(const number_text& n) {
    const int bits = float_range_of(shape_->type).mantissa_bits;
    return n.payload >> bits == 0 ||
           breaks(n.text, str_cat({"the payload of ", n.text, " is too large for ", name_of(shape_->type),
                                   ", which has ", bits, " bits for it"}));
  }
  /// Whether the magnitude of a finite number is larger than `most`.
  static bool beyond(double value, double most) {
    const double size = value < 0 ? -value : value;
    return size > most && size <= std::numeric_limits<double>::max();
  }

  parse_state& state_;
  const shape* shape_ = nullptr;
  std::vector<open_tuple_literal> tuples_;
  dimension_numbers seen_;  ///< for each open brace, the elements in it so far
  std::size_t level_ = 0;
  std::int64_t elements_ = 0, most_ = 1;
  bool fits_ = true;
};

}  // namespace hlolint::grammar
