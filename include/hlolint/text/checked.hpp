// Arithmetic that cannot overflow, for sizes, offsets and positions: they come from texts, which can hold any number.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>

namespace hlolint {

/// a + b, or nothing if the sum is not an int64.
constexpr std::optional<std::int64_t> checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// a * b, or nothing if the product is not an int64.
constexpr std::optional<std::int64_t> checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// The product of numbers, or of what `get` makes of the elements of a list; nothing if one of them is negative or the
/// product is not an int64. @{
template <class List, class Get>
constexpr std::optional<std::int64_t> checked_product(const List& list, Get&& get) {
  std::int64_t product = 1;
  for (const auto& element : list) {
    const std::int64_t factor = get(element);
    const auto next = factor < 0 ? std::nullopt : checked_multiply(product, factor);
    if (!next) return std::nullopt;
    product = *next;
  }
  return product;
}
template <class Numbers>
constexpr std::optional<std::int64_t> checked_product(const Numbers& factors) {
  return checked_product(factors, [](std::int64_t factor) { return factor; });
}
/// @}

/// An int64 whose sums, differences and products stop at the ends of the range and note that they did:
/// `(checked_int64(offset) + size).exact()` is nothing if the sum is not an int64, `.clamped()` the nearest int64.
/// Comparisons use the clamped numbers, so that they are transitive. Once inexact, a number stays inexact.
class checked_int64 {
 public:
  constexpr checked_int64() = default;
  /// Implicit, so that plain numbers can be part of a sum.
  constexpr checked_int64(std::int64_t value) : value_(value) {}

  /// Whether no intermediate result was outside the range of int64.
  constexpr bool is_exact() const { return exact_; }
  /// Nothing if an intermediate result was outside the range of int64.
  constexpr std::optional<std::int64_t> exact() const { return exact_ ? std::optional(value_) : std::nullopt; }
  /// The number, or the end of the range that it is beyond.
  constexpr std::int64_t clamped() const { return value_; }

  /// A result that overflows becomes the end of the range and is inexact from then on. @{
  constexpr checked_int64& operator+=(checked_int64 b) {
    std::int64_t sum = 0;
    const bool over = __builtin_add_overflow(value_, b.value_, &sum);
    return set(over ? end_of_range(value_ < 0) : sum, !over && b.exact_);
  }
  constexpr checked_int64& operator-=(checked_int64 b) {
    std::int64_t difference = 0;
    const bool over = __builtin_sub_overflow(value_, b.value_, &difference);
    return set(over ? end_of_range(value_ < 0) : difference, !over && b.exact_);
  }
  constexpr checked_int64& operator*=(checked_int64 b) {
    std::int64_t product = 0;
    const bool over = __builtin_mul_overflow(value_, b.value_, &product);
    return set(over ? end_of_range((value_ < 0) != (b.value_ < 0)) : product, !over && b.exact_);
  }
  friend constexpr checked_int64 operator+(checked_int64 a, checked_int64 b) { return a += b; }
  friend constexpr checked_int64 operator-(checked_int64 a, checked_int64 b) { return a -= b; }
  friend constexpr checked_int64 operator*(checked_int64 a, checked_int64 b) { return a *= b; }
  /// @}

  friend constexpr bool operator==(checked_int64 a, checked_int64 b) { return a.value_ == b.value_; }
  friend constexpr std::strong_ordering operator<=>(checked_int64 a, checked_int64 b) { return a.value_ <=> b.value_; }

 private:
  static constexpr std::int64_t end_of_range(bool negative) {
    return negative ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  }
  constexpr checked_int64& set(std::int64_t value, bool exact) {
    value_ = value;
    exact_ = exact_ && exact;
    return *this;
  }

  std::int64_t value_ = 0;
  bool exact_ = true;
};

/// The number rounded towards zero, or the nearest int64; 0 for not-a-number.
constexpr std::int64_t clamp_to_int64(double value) {
  constexpr double limit = 9223372036854775808.0;  // 2^63; the largest int64 itself is not a double
  if (value != value) return 0;
  if (value >= limit) return std::numeric_limits<std::int64_t>::max();
  if (value < -limit) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

/// `part` of `whole`, both not negative, as a number from 0 to 1; 0 if `whole` is 0.
constexpr double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace hlolint
