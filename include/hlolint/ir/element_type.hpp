// Element types of shapes and their widths (sizes.md 1).
#pragma once

#include <hlolint/text/name_table.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// XLA's primitive types. `unknown` is any other type; the shape keeps its spelling.
// clang-format off
enum class element_type : std::uint8_t {
  pred, s1, s2, s4, s8, s16, s32, s64, u1, u2, u4, u8, u16, u32, u64, f16, bf16, f32, f64, c64, c128,
  f8e5m2, f8e4m3, f8e4m3fn, f8e4m3b11fnuz, f8e3m4, f8e5m2fnuz, f8e4m3fnuz, f8e8m0fnu, f4e2m1fn, f6e2m3fn, f6e3m2fn,
  token, opaque, tuple, buffer, unknown
};
// clang-format on

/// The types as XLA writes them, by their enumerators.
// clang-format off
inline constexpr std::array<std::string_view, 37> element_type_names{
    "pred", "s1", "s2", "s4", "s8", "s16", "s32", "s64", "u1", "u2", "u4", "u8", "u16", "u32", "u64", "f16", "bf16",
    "f32", "f64", "c64", "c128", "f8e5m2", "f8e4m3", "f8e4m3fn", "f8e4m3b11fnuz", "f8e3m4", "f8e5m2fnuz",
    "f8e4m3fnuz", "f8e8m0fnu", "f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "token", "opaque", "tuple", "buffer", "unknown"};
// clang-format on

/// The type as XLA writes it, such as `bf16`, or `unknown`.
constexpr std::string_view name_of(element_type type) { return element_type_names[static_cast<std::size_t>(type)]; }

namespace detail {

/// Whether a word may be the name of a type, by its first letter and its length. Most words are names of instructions,
/// which this rules out quickly.
constexpr bool may_be_element_type(std::string_view word) {
  constexpr auto letters = [] {
    std::array<std::uint32_t, 16> out{};  // per length, a bit per letter
    for (const std::string_view type : element_type_names) out[type.size()] |= 1u << (type[0] - 'a');
    return out;
  }();
  return !word.empty() && word.size() < letters.size() && word[0] >= 'a' && word[0] <= 'z' &&
         (letters[word.size()] >> (word[0] - 'a') & 1u);
}

}  // namespace detail

/// The type that a word names: an array type, `token` or `opaque`; `unknown` for all other words.
constexpr element_type find_element_type(std::string_view word) {
  const int found = detail::may_be_element_type(word) ? name_table<element_type_names>::find(word) : -1;
  return found < 0 || found >= static_cast<int>(element_type::tuple) ? element_type::unknown
                                                                     : static_cast<element_type>(found);
}

/// Whether values of a type have dimensions.
constexpr bool is_array(element_type type) { return type < element_type::token || type == element_type::unknown; }

/// Whether a type is one of XLA's floating-point types.
constexpr bool is_floating_point(element_type type) {
  using enum element_type;
  return type == f16 || type == bf16 || type == f32 || type == f64 || (f8e5m2 <= type && type <= f6e3m2fn);
}

/// Bits of one element when packed (pred counts as 8); 0 for types without elements.
constexpr int bit_width(element_type type) {
  switch (type) {
    using enum element_type;
    case s1:
    case u1: return 1;
    case s2:
    case u2: return 2;
    // clang-format off
    case s4: case u4: case f4e2m1fn: return 4;
    case f6e2m3fn: case f6e3m2fn: return 6;
    case s16: case u16: case f16: case bf16: return 16;
    case s32: case u32: case f32: return 32;
    case s64: case u64: case f64: case c64: return 64;
    case c128: return 128;
    case token: case opaque: case tuple: case buffer: case unknown: return 0;
      // clang-format on
    default: return 8;
  }
}

/// Bytes of one element in unpacked storage: a type of less than 8 bits takes a whole byte.
constexpr int byte_width(element_type type) { return (bit_width(type) + 7) / 8; }

}  // namespace hlolint
