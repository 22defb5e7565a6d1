// Hashes that are equal on all machines: of texts, and of numbers.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>

namespace hlolint {

/// FNV-1a, 64 bits: what fingerprints of findings are made of.
class fnv1a {
 public:
  /// Hashes the bytes of `text`.
  constexpr void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  }
  /// Ends a field, so that `ab`,`c` and `a`,`bc` differ.
  constexpr void end_field() { value_ = (value_ ^ 0xFFu) * 0x100000001B3u; }
  /// The hash of all that was added.
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

/// A running hash of numbers: FNV-1a by words, with the high bits folded down.
class number_hash {
 public:
  /// Hashes a number, an enumerator or a character.
  template <class Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>) constexpr void add(Number n) {
    value_ = (value_ ^ static_cast<std::uint64_t>(n)) * 0x9E3779B97F4A7C15u;
    value_ ^= value_ >> 29;
  }
  /// Hashes the length and the bytes of a text.
  constexpr void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(c);
  }
  /// The hash of all that was added.
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

}  // namespace hlolint
