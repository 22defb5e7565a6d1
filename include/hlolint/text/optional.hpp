// A value or nothing, like std::optional, but cheap to compile: std::optional makes more than twenty functions for each
// type in a build without optimization. Here all functions are inlined, and types that are copied as bytes need none.
#pragma once

#include <hlolint/text/record_list.hpp>

#include <compare>
#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace hlolint {

template <class T>
class optional;

namespace detail {
/// The storage of an optional. This one is for values that are copied as bytes, its specialization for all others.
template <class T, bool = std::is_trivially_copyable_v<T>&& copied_as_bytes<T>&&
                       std::is_trivially_copy_assignable_v<T>&& std::is_trivially_move_assignable_v<T>>
struct optional_value {
  /// `value` if there is one, else `none`. @{
  union {
    char none;
    T value;
  };
  /// @}
  bool has = false;  ///< whether `value` is there
  [[gnu::always_inline]] constexpr optional_value() noexcept : none() {}
  template <class... Args>
  [[gnu::always_inline]] constexpr explicit optional_value(std::in_place_t, Args&&... args)
      : value(T(static_cast<Args&&>(args)...)), has(true) {}
  [[gnu::always_inline]] constexpr void reset() noexcept { has = false; }
};
template <class T>
struct optional_value<T, false> {
  union {
    char none;
    T value;
  };
  bool has = false;
  [[gnu::always_inline]] constexpr optional_value() noexcept : none() {}
  template <class... Args>
  [[gnu::always_inline]] constexpr explicit optional_value(std::in_place_t, Args&&... args)
      : value(T(static_cast<Args&&>(args)...)), has(true) {}
  [[gnu::always_inline]] optional_value(const optional_value& other) : none() { take(other.value, other.has); }
  [[gnu::always_inline]] optional_value(optional_value&& other) noexcept(std::is_nothrow_move_constructible_v<T>)
      : none() {
    take(static_cast<T&&>(other.value), other.has);
  }
  [[gnu::always_inline]] optional_value& operator=(const optional_value& other) {
    if (has && other.has)
      value = other.value;
    else if (this != &other)
      reset(), take(other.value, other.has);
    return *this;
  }
  [[gnu::always_inline]] optional_value& operator=(optional_value&& other) noexcept(
      std::is_nothrow_move_constructible_v<T>&& std::is_nothrow_move_assignable_v<T>) {
    if (has && other.has)
      value = static_cast<T&&>(other.value);
    else if (this != &other)
      reset(), take(static_cast<T&&>(other.value), other.has);
    return *this;
  }
  [[gnu::always_inline]] constexpr ~optional_value() {
    if (has) value.~T();
  }
  [[gnu::always_inline]] void reset() noexcept {
    if (has) value.~T();
    has = false;
  }
  template <class From>
  [[gnu::always_inline]] void take(From&& from, bool is_there) {
    if (!is_there) return;
    ::new (static_cast<void*>(&value)) T(static_cast<From&&>(from));
    has = true;
  }
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<optional<T>> = true;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
}  // namespace detail

/// Works like std::optional, with std::nullopt and std::in_place, and converts to one and back.
template <class T>
class optional {
 public:
  /// The type of the value.
  using value_type = T;

  /// Nothing. @{
  [[gnu::always_inline]] constexpr optional() noexcept {}
  [[gnu::always_inline]] constexpr optional(std::nullopt_t) noexcept {}
  /// @}
  /// A value. @{
  template <class U = T>
  requires(!std::is_same_v<std::remove_cvref_t<U>, optional> &&
           !std::is_same_v<std::remove_cvref_t<U>, std::in_place_t> &&
           !(detail::is_optional<std::remove_cvref_t<U>> && !detail::is_optional<T>)&&std::is_constructible_v<T, U>)  //
      [[gnu::always_inline]] constexpr explicit(!std::is_convertible_v<U, T>) optional(U&& from)
      : held_(std::in_place, static_cast<U&&>(from)) {}
  template <class... Args>
  [[gnu::always_inline]] constexpr explicit optional(std::in_place_t, Args&&... args)
      : held_(std::in_place, static_cast<Args&&>(args)...) {}
  /// @}
  /// Conversions between optionals of other types, and from and to std::optional. @{
  template <class U>
  requires(!std::is_same_v<U, T> && std::is_constructible_v<T, const U&>)  //
      constexpr explicit(!std::is_convertible_v<const U&, T>) optional(const optional<U>& from) {
    if (from) emplace(*from);
  }
  template <class U>
  requires std::is_constructible_v<T, const U&>  //
  constexpr explicit(!std::is_convertible_v<const U&, T>) optional(const std::optional<U>& from) {
    if (from) emplace(*from);
  }
  template <std::same_as<std::optional<T>> Standard>
  constexpr operator Standard() const {
    return has_value() ? Standard(held_.value) : Standard();
  }
  /// @}

  /// Whether it has a value. @{
  [[gnu::always_inline]] constexpr bool has_value() const noexcept { return held_.has; }
  [[gnu::always_inline]] constexpr explicit operator bool() const noexcept { return held_.has; }
  /// @}
  /// The value. Precondition: it has one. @{
  [[gnu::always_inline]] constexpr T& operator*() & noexcept { return held_.value; }
  [[gnu::always_inline]] constexpr const T& operator*() const& noexcept { return held_.value; }
  [[gnu::always_inline]] constexpr T&& operator*() && noexcept { return static_cast<T&&>(held_.value); }
  [[gnu::always_inline]] constexpr T* operator->() noexcept { return &held_.value; }
  [[gnu::always_inline]] constexpr const T* operator->() const noexcept { return &held_.value; }
  /// @}
  /// The value; throws std::bad_optional_access without one. @{
  [[gnu::always_inline]] constexpr T& value() & { return held_.has ? held_.value : throw std::bad_optional_access(); }
  [[gnu::always_inline]] constexpr const T& value() const& {
    return held_.has ? held_.value : throw std::bad_optional_access();
  }
  [[gnu::always_inline]] constexpr T&& value() && { return static_cast<T&&>(value()); }
  /// @}
  /// The value, or another one. @{
  template <class U>
  [[gnu::always_inline]] constexpr T value_or(U&& other) const& {
    return held_.has ? held_.value : static_cast<T>(static_cast<U&&>(other));
  }
  template <class U>
  [[gnu::always_inline]] constexpr T value_or(U&& other) && {
    return held_.has ? static_cast<T&&>(held_.value) : static_cast<T>(static_cast<U&&>(other));
  }
  /// @}

  /// Makes a new value of these arguments.
  template <class... Args>
  [[gnu::always_inline]] constexpr T& emplace(Args&&... args) {
    held_.reset();
    std::construct_at(&held_.value, static_cast<Args&&>(args)...);
    held_.has = true;
    return held_.value;
  }
  /// Removes the value. @{
  [[gnu::always_inline]] constexpr void reset() noexcept { held_.reset(); }
  [[gnu::always_inline]] constexpr optional& operator=(std::nullopt_t) noexcept {
    held_.reset();
    return *this;
  }
  /// @}
  /// Sets the value.
  template <class U = T>
  requires(!std::is_same_v<std::remove_cvref_t<U>, optional> && !detail::is_optional<std::remove_cvref_t<U>> &&
           std::is_constructible_v<T, U>)  //
      [[gnu::always_inline]] constexpr optional&
      operator=(U&& from) {
    if constexpr (std::is_scalar_v<T>)
      held_ = detail::optional_value<T>(std::in_place, static_cast<U&&>(from));
    else if (held_.has)
      held_.value = static_cast<U&&>(from);
    else
      emplace(static_cast<U&&>(from));
    return *this;
  }

  /// An empty one is less than every value and equal to another empty one. @{
  [[gnu::always_inline]] friend constexpr bool operator==(const optional& a, const optional& b) {
    return a.held_.has == b.held_.has && (!a.held_.has || a.held_.value == b.held_.value);
  }
  [[gnu::always_inline]] friend constexpr bool operator==(const optional& a, std::nullopt_t) { return !a.held_.has; }
  friend constexpr auto operator<=>(const optional& a, const optional& b) requires requires(const T& one) { one < one; }
  {
    if constexpr (requires(const T& one) { one <=> one; }) {
      using order = decltype(*a <=> *b);
      return a.held_.has && b.held_.has ? a.held_.value <=> b.held_.value : order(a.held_.has <=> b.held_.has);
    } else {
      if (!a.held_.has || !b.held_.has) return std::weak_ordering(a.held_.has <=> b.held_.has);
      return a.held_.value < b.held_.value   ? std::weak_ordering::less
             : b.held_.value < a.held_.value ? std::weak_ordering::greater
                                             : std::weak_ordering::equivalent;
    }
  }
  /// @}

 private:
  detail::optional_value<T> held_;
};

/// Whether it has a value that is equal to another one.
template <class T, class U>
requires(!detail::is_optional<U> && !std::is_same_v<U, std::nullopt_t> &&
         requires(const T& value, const U& other) {
           { value == other } -> std::convertible_to<bool>;
         })  //
    [[gnu::always_inline]] constexpr bool
    operator==(const optional<T>& a, const U& b) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<U>) {
    using both = std::common_type_t<T, U>;  // as `==` converts them, without its warning
    return a && static_cast<both>(*a) == static_cast<both>(b);
  } else {
    return a && *a == b;
  }
}
/// Equality with a std::optional. Without it, the comparison of std::optional with any value would call two empty ones
/// unequal.
template <class T, class U>
constexpr bool operator==(const optional<T>& a, const std::optional<U>& b) {
  return a.has_value() == b.has_value() && (!a || *a == *b);
}

/// An optional of this value's type.
template <class T>
optional(T) -> optional<T>;

}  // namespace hlolint
