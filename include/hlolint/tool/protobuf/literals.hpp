// LiteralProto as the text of a constant (protobuf_dumps.md 8.4): long lists of elements are never read. And
// floating-point types of less than 64 bits as numbers and as text.
#pragma once

#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/tool/protobuf/shapes.hpp>
#include <hlolint/tool/protobuf/text_parts.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::protobuf {

/// The meaning of the bits of a type.
struct float_format {
  /// The meaning of the largest exponent.
  enum class top : std::uint8_t { infinity_and_nan, one_nan, zero_is_nan, finite, only_exponent };
  int exponent_bits = 0, mantissa_bits = 0, bias = 0;
  top specials = top::infinity_and_nan;

  /// How many significant decimal digits distinguish all values.
  int digits() const { return static_cast<int>(std::ceil(1 + (mantissa_bits + 1) * 0.30103)); }
};

/// The result has no exponent bits if the type is not a floating-point type of less than 64 bits.
constexpr float_format format_of(element_type type) {
  using top = float_format::top;
  switch (type) {
    using enum element_type;
    case f16: return {5, 10, 15};
    case bf16: return {8, 7, 127};
    case f32: return {8, 23, 127};
    case f8e5m2: return {5, 2, 15};
    case f8e4m3: return {4, 3, 7};
    case f8e3m4: return {3, 4, 3};
    case f8e4m3fn: return {4, 3, 7, top::one_nan};
    case f8e4m3b11fnuz: return {4, 3, 11, top::zero_is_nan};
    case f8e5m2fnuz: return {5, 2, 16, top::zero_is_nan};
    case f8e4m3fnuz: return {4, 3, 8, top::zero_is_nan};
    case f8e8m0fnu: return {8, 0, 127, top::only_exponent};
    case f4e2m1fn: return {2, 1, 1, top::finite};
    case f6e2m3fn: return {2, 3, 1, top::finite};
    case f6e3m2fn: return {3, 2, 3, top::finite};
    default: return {};
  }
}

/// The value of an element from its bits.
inline double value_of(const float_format& f, std::uint32_t bits) {
  using top = float_format::top;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (f.specials == top::only_exponent) return bits == 255 ? nan : std::ldexp(1.0, static_cast<int>(bits) - f.bias);
  const std::uint32_t most_exponent = (1u << f.exponent_bits) - 1, most_mantissa = (1u << f.mantissa_bits) - 1;
  const std::uint32_t mantissa = bits & most_mantissa, exponent = bits >> f.mantissa_bits & most_exponent;
  const bool negative = (bits >> (f.exponent_bits + f.mantissa_bits) & 1u) != 0;
  double out = exponent == 0 ? std::ldexp(static_cast<double>(mantissa), 1 - f.bias - f.mantissa_bits)
                             : std::ldexp(static_cast<double>(mantissa + most_mantissa + 1),
                                          static_cast<int>(exponent) - f.bias - f.mantissa_bits);
  if (f.specials == top::zero_is_nan && negative && exponent == 0 && mantissa == 0) return nan;
  if (f.specials == top::one_nan && exponent == most_exponent && mantissa == most_mantissa) out = nan;
  if (f.specials == top::infinity_and_nan && exponent == most_exponent)
    out = mantissa ? nan : std::numeric_limits<double>::infinity();
  return negative ? -out : out;
}

/// `nan` or `-nan`; `nan(0x1)` if the mantissa is not that of the usual NaN.
inline void put_nan(std::string& out, bool negative, std::uint64_t mantissa, int mantissa_bits) {
  out += negative ? "-nan" : "nan";
  if (mantissa_bits == 0 || mantissa == std::uint64_t{1} << (mantissa_bits - 1)) return;
  char text[32];
  std::snprintf(text, sizeof text, "(0x%llx)", static_cast<unsigned long long>(mantissa));
  out += text;
}

/// With 15 digits if reading them gives the value again, else with 17.
inline void put_double(std::string& out, double value) {
  if (std::isinf(value)) return void(out += value < 0 ? "-inf" : "inf");
  char text[40];
  for (const int digits : {15, 17}) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    if (std::strtod(text, nullptr) == value) break;
  }
  out += text;
}

/// An element of a type that `format_of` knows, from its bits.
inline void put_float(std::string& out, element_type type, std::uint32_t bits) {
  const float_format f = format_of(type);
  const double value = value_of(f, bits);
  if (std::isnan(value)) {
    const bool ieee = f.specials == float_format::top::infinity_and_nan;
    const bool negative =
        f.specials != float_format::top::only_exponent && (bits >> (f.exponent_bits + f.mantissa_bits) & 1u) != 0;
    return put_nan(out, negative, bits & ((1u << f.mantissa_bits) - 1), ieee ? f.mantissa_bits : 0);
  }
  if (std::isinf(value)) return void(out += value < 0 ? "-inf" : "inf");
  char text[40];
  const int most = f.digits();
  std::snprintf(text, sizeof text, "%.*g", type == element_type::f32 ? 6 : most, value);
  if (type == element_type::f32 && static_cast<double>(std::strtof(text, nullptr)) != value)
    std::snprintf(text, sizeof text, "%.*g", most, value);
  out += text;
}

/// XLA prints the elements of arrays that have at most this many.
inline constexpr std::int64_t most_printed_elements = 10;

/// The number of elements of an array; `most_printed_elements + 1` for any larger number.
inline std::int64_t printed_element_count(const shape& s) {
  std::int64_t out = 1;
  for (const dimension& d : s.dimensions)
    if (d.size == 0) return 0;
  for (const dimension& d : s.dimensions)
    if (d.size < 0 || d.size > most_printed_elements || (out *= d.size) > most_printed_elements)
      return most_printed_elements + 1;
  return out;
}

/// The bits of the elements of a short array.
class short_literal {
 public:
  /// Precondition: `s` is the shape of an array with at most `most_printed_elements` elements.
  short_literal(std::string_view bytes, const shape& s) : shape_(s), count_(printed_element_count(s)) {
    const std::uint32_t tag = tag_of(s.type);
    for_each_field(bytes, [&](const field& f) {
      if (f.tag == tag) add(f);
    });
  }

  /// Whether nothing can be printed: elements are missing, or their type is unknown.
  bool is_unknown() const { return tag_of(shape_.type) == 0 || size_ < parts() * static_cast<std::size_t>(count_); }

  void put(std::string& out) const {
    std::vector<std::int64_t> index;
    put_level(out, index);
  }

 private:
  /// The field of LiteralProto that holds elements of a type; 0 if there is none.
  static constexpr std::uint32_t tag_of(element_type type) {
    using enum element_type;
    constexpr element_type by_tag[] = {
        unknown,   unknown,       pred,       u8,         s32, s64, u32,    u64,    f32,    f64,      unknown,
        f16,       c64,           bf16,       unknown,    s8,  u16, s16,    c128,   f8e5m2, f8e4m3fn, s4,
        u4,        f8e4m3b11fnuz, f8e5m2fnuz, f8e4m3fnuz, s2,  u2,  f8e4m3, f8e3m4, s1,     u1,       f4e2m1fn,
        f8e8m0fnu, unknown,       f6e3m2fn,   f6e2m3fn};
    const auto at = std::find(std::begin(by_tag), std::end(by_tag), type);
    return type == unknown || at == std::end(by_tag) ? 0 : static_cast<std::uint32_t>(at - std::begin(by_tag));
  }
  bool is_complex() const { return shape_.type == element_type::c64 || shape_.type == element_type::c128; }
  std::size_t parts() const { return is_complex() ? 2 : 1; }

  void add(const field& f) {
    using enum element_type;
    const auto keep = [&](std::uint64_t bits) {
      if (size_ < elements_.size()) elements_[size_++] = bits;
    };
    const auto little_endian = [&](std::size_t width) {
      for (std::size_t at = 0; at + width <= f.bytes.size() && size_ < elements_.size(); at += width) {
        std::uint64_t bits = 0;
        for (std::size_t k = width; k-- > 0;) bits = bits << 8 | static_cast<unsigned char>(f.bytes[at + k]);
        keep(bits);
      }
    };
    if (f.type != wire_type::length_delimited) return keep(f.bits);
    switch (shape_.type) {
      case pred:
      case s32:
      case s64:
      case u32:
      case u64: {
        const char* at = f.bytes.data();
        const char* const end = at + f.bytes.size();
        while (at != end && size_ < elements_.size()) keep(protozero::decode_varint(&at, end));
        return;
      }
      case s4:
      case u4:
      case s2:
      case u2:
      case s1:
      case u1: {
        // Some versions of XLA write one element in a byte, others write several.
        const bool alone = f.bytes.size() >= static_cast<std::size_t>(count_);
        const auto width = static_cast<unsigned>(bit_width(shape_.type));
        for (const char c : f.bytes)
          for (unsigned at = 0; at < (alone ? width : 8) && size_ < elements_.size(); at += width)
            keep(static_cast<unsigned char>(c) >> at & ((1u << width) - 1));
        return;
      }
      default: return little_endian(static_cast<std::size_t>(byte_width(shape_.type)) / parts());
    }
  }

  void put_level(std::string& out, std::vector<std::int64_t>& index) const {
    const std::size_t level = index.size(), rank = shape_.rank();
    if (level == rank) return put_element(out, index);
    const std::int64_t size = shape_.dimensions[level].size;
    const bool innermost = level + 1 == rank;
    const bool blanks = rank > 1 && (!innermost || size > 1);
    out += '{';
    if (blanks) out += ' ';
    if (rank > 3 && !innermost && level > 0) append_to(out, {"/*i", level - 1, "=", index.back(), "*/ "});
    for (std::int64_t i = 0; i < size; ++i) {
      if (i) out += ", ";
      index.push_back(i);
      put_level(out, index);
      index.pop_back();
    }
    if (blanks) out += ' ';
    out += '}';
  }

  void put_element(std::string& out, const std::vector<std::int64_t>& index) const {
    // The dimension that the layout names first is the innermost in memory.
    std::size_t at = 0, stride = 1;
    for (std::size_t k = 0; k < index.size(); ++k) {
      std::size_t d = index.size() - 1 - k;
      if (shape_.layout && shape_.layout->minor_to_major.size() == index.size())
        d = static_cast<std::size_t>(shape_.layout->minor_to_major[k]);
      if (d >= index.size()) return void(out += '0');  // the layout does not fit the shape
      at += static_cast<std::size_t>(index[d]) * stride;
      stride *= static_cast<std::size_t>(shape_.dimensions[d].size);
    }
    if (!is_complex()) return put_number(out, element(at));
    out += '(';
    put_number(out, element(2 * at));
    out += ", ";
    put_number(out, element(2 * at + 1));
    out += ')';
  }
  std::uint64_t element(std::size_t at) const { return at < size_ ? elements_[at] : 0; }

  void put_number(std::string& out, std::uint64_t bits) const {
    using enum element_type;
    switch (shape_.type) {
      case pred:
        if (shape_.rank() == 0) return void(out += bits ? "true" : "false");
        return void(out += bits ? '1' : '0');
      case u64: return void(out += std::to_string(bits));
      case s1:
      case s2:
      case s4:
      case s8:
      case s16:
      case s32: {
        const auto width = static_cast<unsigned>(bit_width(shape_.type));
        const std::uint64_t sign = std::uint64_t{1} << (width - 1);
        const auto shifted = static_cast<std::int64_t>((bits & (2 * sign - 1)) ^ sign);
        return protobuf::put(out, shifted - static_cast<std::int64_t>(sign));
      }
      case u1:
      case u2:
      case u4:
      case u8:
      case u16:
      case u32:
      case s64: return protobuf::put(out, static_cast<std::int64_t>(bits));
      case f64:
      case c128: {
        double value;
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isnan(value)) return put_double(out, value);
        return put_nan(out, bits >> 63 != 0, bits & ((std::uint64_t{1} << 52) - 1), 52);
      }
      case c64: return put_float(out, f32, static_cast<std::uint32_t>(bits));
      default: return put_float(out, shape_.type, static_cast<std::uint32_t>(bits));
    }
  }

  const shape& shape_;
  std::int64_t count_;
  std::array<std::uint64_t, 2 * most_printed_elements> elements_{};
  std::size_t size_ = 0;
};

/// The shape alone; the elements, of which there can be many, are not read.
inline shape shape_of_literal(std::string_view literal) {
  std::string bytes;
  for_each_field(literal, [&](const field& f) {
    if (f.key() == sized(1)) bytes += f.bytes;
  });
  return bytes.empty() ? shape() : shape_of(bytes);
}

/// The argument of a constant: its elements if they are few, else `{...}`.
inline void put_constant(std::string& out, std::string_view literal) {
  const shape s = shape_of_literal(literal);
  if (!s.is_array() || s.type == element_type::unknown || printed_element_count(s) > most_printed_elements)
    return void(out += "{...}");
  const short_literal elements(literal, s);
  elements.is_unknown() ? void(out += "{...}") : elements.put(out);
}

/// A literal with its shape, as custom calls have it.
inline void put_literal(std::string& out, std::string_view literal, int depth = 0) {
  if (depth > deepest) throw bad_message("literals nested more than " + std::to_string(deepest) + " levels deep");
  const shape s = shape_of_literal(literal);
  if (!s.is_tuple()) {
    append(out, s);
    out += ' ';
    return put_constant(out, literal);
  }
  out += "( ";
  bool first = true;
  for_each_field(literal, [&](const field& f) {
    if (f.key() != sized(10)) return;
    if (!first) out += ", ";
    first = false;
    put_literal(out, f.bytes, depth + 1);
  });
  out += " )";
}

}  // namespace hlolint::protobuf
