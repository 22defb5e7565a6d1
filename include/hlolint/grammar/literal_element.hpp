// One element of a literal against its type: the ranges of integers and floats, not-a-number payloads (hlo_text.md 6).
#pragma once

#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/element_type.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace hlolint::grammar {

/// What a floating point type holds.
struct float_range {
  double largest = 0;  ///< finite
  int mantissa_bits = 0;
  bool saturates = false;  ///< larger values are taken: the type has no infinity
  bool has_payload = false;
  int safe_digits = 0;  ///< every number below 10 to this power is in range
};

/// `largest` is 0 for types that are no floats.
constexpr float_range float_range_of(element_type type) {
  switch (type) {
    using enum element_type;
    case f16: return {65504, 10, false, true, 4};
    case bf16: return {3.3895313892515355e38, 7, false, true, 38};
    case f32:
    case c64: return {3.4028234663852886e38, 23, false, true, 38};
    case f64:
    case c128: return {1.7976931348623157e308, 52, false, true, 308};
    case f8e5m2: return {57344, 2, false, true, 4};
    case f8e4m3: return {240, 3, false, true, 2};
    case f8e3m4: return {15.5, 4, false, true, 1};
    case f8e4m3fn: return {448, 3, false, false, 2};
    case f8e4m3b11fnuz: return {30, 3, false, false, 1};
    case f8e5m2fnuz: return {57344, 2, false, false, 4};
    case f8e4m3fnuz: return {240, 3, false, false, 2};
    case f8e8m0fnu: return {170141183460469231731687303715884105728.0, 0, false, false, 38};
    case f4e2m1fn: return {6, 1, true, false, 308};
    case f6e2m3fn: return {7.5, 3, true, false, 308};
    case f6e3m2fn: return {28, 2, true, false, 308};
    default: return {};
  }
}

/// What an integer type holds; 64-bit types and pred take every integer that can be read.
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
static_assert(integer_range_of(element_type::u4).largest == 15 && integer_range_of(element_type::s1).least == -1);

/// Reads elements of one type. `false`: no element could be read, and `expected` of the state says what was expected;
/// or a rule was broken and `broken` is set.
class element_reader {
 public:
  element_reader(element_type type, parse_state& s)
      : type_(type),
        complex_(type == element_type::c64 || type == element_type::c128),
        floating_(!complex_ && float_range_of(type).largest > 0),
        floats_(float_range_of(type)),
        integers_(integer_range_of(type)),
        s_(s) {}

  bool read(const char*& p, const char* last) {
    if (floating_) return read_float(p, last);
    if (complex_) return read_complex(p, last);
    return read_integer(p, last);
  }
  bool broken = false;

 private:
  bool breaks(const char* where, std::string message) {
    s_.broke(where, std::move(message));
    broken = true;
    return false;
  }

  bool read_integer(const char*& p, const char* last) {
    const char* const begin = p;
    const char* q = p;
    const bool negative = q != last && *q == '-';
    q += negative;
    const char* const digits = q;
    std::int64_t value = 0;
    for (; q != last && scan::is(scan::digit_bytes, *q); ++q)
      if (q - digits < 18) value = value * 10 + (*q - '0');
    if (q == digits) return read_word(p, last);
    if (q != last && (*q == '.' || *q == 'e' || *q == 'E') && scan_value::decimal(begin, last) != q)
      return wrong_kind(begin, last);
    if (q - digits >= 18) {
      const char* whole = begin;
      if (!take_integer(whole, last, s_, value)) return false;
    } else if (negative) {
      value = -value;
    }
    if (value < integers_.least || value > integers_.largest)
      return breaks(begin, say({value, " is out of the range of ", name_of(type_), ", [", integers_.least, ", ",
                                integers_.largest, "]"}));
    p = q;
    return true;
  }

  /// `true` and `false`, or a number that is no integer.
  bool read_word(const char*& p, const char* last) {
    const char* const end = scan::identifier(p, last);
    const std::string_view text = end ? view(p, end) : std::string_view{};
    if (text == "true" || text == "false") {
      if (type_ != element_type::pred) return breaks(p, say({text, " is no value of ", name_of(type_)}));
      p = end;
      return true;
    }
    return wrong_kind(p, last);
  }
  bool wrong_kind(const char* p, const char* last) {
    const char* const end = read_number(p, last).end;
    if (end) return breaks(p, say({view(p, end), " is no value of ", name_of(type_)}));
    s_.fail(p, last, type_ == element_type::pred ? "true, false or an integer" : "an integer");
    return false;
  }

  bool read_float(const char*& p, const char* last) {
    const char* const begin = p;
    const char* const end = scan_value::decimal(p, last);
    if (end && end - begin <= floats_.safe_digits && !grows(begin, end)) {  // cannot be out of range
      p = end;
      return end - begin < 19 || is_integer_in_range(begin, end);
    }
    const number_reading read = read_number(begin, last);
    if (!read.end) {
      const char* const name_end = scan::identifier(begin, last);
      const std::string_view name = name_end ? view(begin, name_end) : std::string_view{};
      if (name == "true" || name == "false") return breaks(begin, say({name, " is no value of ", name_of(type_)}));
      s_.fail(begin, last, "a number");
      return false;
    }
    const std::string_view text = view(begin, read.end);
    if (read.too_large) return breaks(begin, say({text, " is out of the range of a double"}));
    if (!is_integer_in_range(begin, read.end)) return false;
    if (read.payload && !floats_.has_payload)
      return breaks(begin, say({name_of(type_), " has no payload for not-a-number, found ", text}));
    if (read.payload >> floats_.mantissa_bits)
      return breaks(begin, say({"the payload of ", text, " is too large for ", name_of(type_), ", which has ",
                                floats_.mantissa_bits, " bits for it"}));
    // A value counts after rounding to the type: half a unit in the last place above the largest is still in range.
    double half_unit = floats_.largest;
    for (int bit = -2; bit < floats_.mantissa_bits; ++bit) half_unit /= 2;
    if (!floats_.saturates && beyond(read.value, floats_.largest + half_unit * 1.0001))
      return breaks(begin, say({text, " is out of the range of ", name_of(type_)}));
    p = read.end;
    return true;
  }

  /// Whether a number is larger than that, whatever its sign; infinity is not.
  static bool beyond(double value, double most) {
    const double size = value < 0 ? -value : value;
    return size > most && size <= std::numeric_limits<double>::max();
  }

  bool read_complex(const char*& p, const char* last) {
    if (!take(p, last, s_, '(', "'(' before the parts of a complex number")) return false;
    for (const bool imaginary : {false, true}) {
      const char* const part = scan::blanks(p, last);
      const number_reading read = read_number(part, last);
      if (!read.end) {
        s_.fail(part, last, "a number");
        return false;
      }
      if (!is_integer_in_range(part, read.end)) return false;
      if (read.too_large || beyond(read.value, floats_.largest))
        return breaks(part, say({view(part, read.end), " is out of the range of the parts of ", name_of(type_)}));
      p = read.end;
      if (!imaginary && !take(p, last, s_, ',', "',' between the parts of a complex number")) return false;
    }
    return take(p, last, s_, ')', "')' after a complex number");
  }

  /// Whether an exponent makes the number larger than its digits say.
  static bool grows(const char* p, const char* last) {
    for (; p != last; ++p)
      if (*p == 'e' || *p == 'E') return p[1] != '-';
    return false;
  }
  /// A number without dot and exponent is an integer of 64 bits.
  bool is_integer_in_range(const char* begin, const char* end) {
    std::int64_t value = 0;
    const char* p = begin;
    return scan::integer(begin, end) != end || end - begin < 19 || take_integer(p, end, s_, value);
  }

  element_type type_;
  bool complex_, floating_;
  float_range floats_;
  integer_range integers_;
  parse_state& s_;
};

}  // namespace hlolint::grammar
