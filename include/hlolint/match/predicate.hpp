// Properties, from which predicates are made: a name and a function, compared with a number or a text.
#pragma once

#include <hlolint/match/pattern.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/glob.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace hlolint::match {

/// The unit of a number, and of the literals with which it is compared.
enum class unit : std::uint8_t {
  count,  ///< a plain number
  bytes,  ///< `4096`, `16MiB`
  time,   ///< milliseconds: `0.1`, `0.1ms`, `20us`, `1s`
  ratio   ///< `1.5`, `1.5x`, `20%`
};

/// How numbers are compared.
enum class relation_sign : std::uint8_t { equal, not_equal, less, at_most, more, at_least };
/// A number and how to compare with it.
struct bound_number {
  relation_sign sign = relation_sign::equal;  ///< the comparison
  double than = 0;                            ///< in the unit of the property
  /// Whether `value` is within the bound.
  constexpr bool holds(double value) const {
    if (sign == relation_sign::equal) return value == than;
    if (sign == relation_sign::not_equal) return value != than;
    if (sign == relation_sign::less) return value < than;
    if (sign == relation_sign::at_most) return value <= than;
    return sign == relation_sign::more ? value > than : value >= than;
  }
  /// Whether `value` is known and within the bound.
  constexpr bool operator()(const std::optional<double>& value) const { return value && holds(*value); }
};
/// Bounds for numbers: `bytes(at_least(1_MiB))`. @{
constexpr bound_number at_least(double n) { return {relation_sign::at_least, n}; }
constexpr bound_number at_least(byte_count n) { return {relation_sign::at_least, static_cast<double>(n)}; }
constexpr bound_number at_most(double n) { return {relation_sign::at_most, n}; }
constexpr bound_number at_most(byte_count n) { return {relation_sign::at_most, static_cast<double>(n)}; }
constexpr bound_number exactly(double n) { return {relation_sign::equal, n}; }
/// @}

/// A glob and whether a text must match it.
struct text_bound {
  std::string_view glob;  ///< `*` and `?` are allowed
  bool matches = true;    ///< false: the text must not match
  /// Whether `text` does.
  bool operator()(std::string_view text) const { return matches_glob(glob, text) == matches; }
};

/// The pattern of a property and a test of its value.
template <knowledge Needs, class Of, class Is>
struct property_test : tested<property_test<Needs, Of, Is>> {
  static constexpr knowledge needs = Needs;  ///< of the property
  Of of;                                     ///< the function of the property
  Is is;                                     ///< the test
  /// From the two functions.
  constexpr property_test(Of f, Is i) : of(f), is(i) {}
  /// Whether the value passes.
  template <class Facts>
  bool test(hlo_instruction i, const Facts& facts) const {
    return is(of(i, facts));
  }
};

/// A property of any kind.
template <knowledge Needs, class Of>
struct property {
  static constexpr knowledge needs = Needs;  ///< the knowledge that it requires
  std::string_view name;                     ///< in queries
  std::string_view what;                     ///< description for the manual
  Of of;                                     ///< `(instruction, facts)`
};

/// A property that is a number. Called with a bound it is a pattern: `bytes(at_least(1_MiB))`. The pattern does not
/// match if the number is unknown.
template <knowledge Needs, class Of>
struct number_property : property<Needs, Of> {
  unit in;  ///< the unit
  constexpr property_test<Needs, Of, bound_number> operator()(bound_number is) const { return {this->of, is}; }
};
/// A property that is a text, empty if there is none. Called with a glob it is a pattern: `op_name("*mlp*")`.
template <knowledge Needs, class Of>
struct text_property : property<Needs, Of> {
  constexpr property_test<Needs, Of, text_bound> operator()(std::string_view glob) const { return {this->of, {glob}}; }
};
/// The test of a flag.
struct is_set {
  /// Whether it is set.
  constexpr bool operator()(bool flag) const { return flag; }
};
/// A property that is true or false. Called it is a pattern: `in_loop()`.
template <knowledge Needs, class Of>
struct flag_property : property<Needs, Of> {
  constexpr property_test<Needs, Of, is_set> operator()() const { return {this->of, {}}; }
};

namespace detail {
/// A member of a record, or what a member function returns; nothing without a record.
template <class Record, class Member>
auto member_of(const Record& record, Member member) {
  return record ? std::optional(std::invoke(member, *record)) : std::nullopt;
}
template <class T>
constexpr std::optional<double> as_number(const std::optional<T>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}
template <class T>
requires std::is_arithmetic_v<T>
constexpr std::optional<double> as_number(T value) { return static_cast<double>(value); }
}  // namespace detail

/// A property by name, description and function. The function of a number returns a number or an optional one, that of
/// a text anything that a string can be made from.
/// Precondition: functions have no captures. @{
template <knowledge Needs, class Of>
constexpr auto number(std::string_view name, unit in, std::string_view what, Of) {
  const auto of = [](hlo_instruction i, const auto& facts) { return detail::as_number(Of{}(i, facts)); };
  return number_property<Needs, std::remove_const_t<decltype(of)>>{{name, what, of}, in};
}
template <knowledge Needs, class Of>
constexpr auto text(std::string_view name, std::string_view what, Of) {
  const auto of = [](hlo_instruction i, const auto& facts) { return std::string(Of{}(i, facts)); };
  return text_property<Needs, std::remove_const_t<decltype(of)>>{{name, what, of}};
}
template <knowledge Needs, class Of>
constexpr flag_property<Needs, Of> flag(std::string_view name, std::string_view what, Of of) {
  return {{name, what, of}};
}
/// @}

}  // namespace hlolint::match
