// The floating-point types of XLA as numbers and as the text that XLA prints (protobuf_dumps.md 8.4).
#pragma once

#include <hlolint/ir/element_type.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

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
    const bool negative = f.specials != float_format::top::only_exponent &&
                          (bits >> (f.exponent_bits + f.mantissa_bits) & 1u) != 0;
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

}  // namespace hlolint::protobuf
