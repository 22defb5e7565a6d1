// What predicates are made of: a property with a name, a unit and a function, compared with a number, a text or
// nothing.
#pragma once

#include <hlolint/match/pattern.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/glob.hpp>
#include <hlolint/text/optional.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::match {

/// What a number counts; what it is compared with may have the units of it.
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
  relation_sign sign = relation_sign::equal;  ///< how
  double than = 0;                            ///< in the unit of the property
  /// Whether `value` is so.
  constexpr bool holds(double value) const {
    switch (sign) {
      case relation_sign::equal:
        return value == than;
      case relation_sign::not_equal:
        return value != than;
      case relation_sign::less:
        return value < than;
      case relation_sign::at_most:
        return value <= than;
      case relation_sign::more:
        return value > than;
      case relation_sign::at_least:
        return value >= than;
    }
    return false;
  }
};
/// Bounds for numbers: `bytes(at_least(1_MiB))`. @{
constexpr bound_number at_least(double n) { return {relation_sign::at_least, n}; }
constexpr bound_number at_least(byte_count n) { return {relation_sign::at_least, static_cast<double>(n)}; }
constexpr bound_number at_most(double n) { return {relation_sign::at_most, n}; }
constexpr bound_number at_most(byte_count n) { return {relation_sign::at_most, static_cast<double>(n)}; }
constexpr bound_number more_than(double n) { return {relation_sign::more, n}; }
constexpr bound_number less_than(double n) { return {relation_sign::less, n}; }
constexpr bound_number exactly(double n) { return {relation_sign::equal, n}; }
/// @}

/// A property that is a number. Called with a bound it is a pattern: `bytes(at_least(1_MiB))`. It does not hold where
/// the number is not known.
template <knowledge Needs, class Of>
struct number_property {
  static constexpr knowledge needs = Needs;  ///< what it takes to know it
  std::string_view name;                     ///< in queries
  unit in;                                   ///< what it counts
  std::string_view what;                     ///< what it is, for the manual
  Of of;                                     ///< `(instruction, facts) -> optional<double>`

  /// The pattern.
  struct test_of : tested<test_of> {
    static constexpr knowledge needs = Needs;  ///< of the property
    Of of;                                     ///< of the property
    bound_number is;                           ///< what it has to be
    constexpr test_of(Of f, bound_number b) : of(f), is(b) {}
    /// Whether the number is known and so.
    template <class Facts>
    bool test(hlo_instruction i, const Facts& facts) const {
      const optional<double> value = of(i, facts);
      return value && is.holds(*value);
    }
  };
  constexpr test_of operator()(bound_number is) const { return {of, is}; }
};
/// The property of that name.
template <knowledge Needs, class Of>
constexpr number_property<Needs, Of> number(std::string_view name, unit in, std::string_view what, Of of) {
  return {name, in, what, of};
}

/// A property that is a text. Called with a glob it is a pattern: `op_name("*mlp*")`.
template <knowledge Needs, class Of>
struct text_property {
  static constexpr knowledge needs = Needs;  ///< what it takes to know it
  std::string_view name;                     ///< in queries
  std::string_view what;                     ///< what it is, for the manual
  Of of;                                     ///< `(instruction, facts) -> std::string`, empty: there is none

  /// The pattern.
  struct test_of : tested<test_of> {
    static constexpr knowledge needs = Needs;  ///< of the property
    Of of;                                     ///< of the property
    std::string_view glob;                     ///< what it has to be like
    constexpr test_of(Of f, std::string_view g) : of(f), glob(g) {}
    /// Whether the text is like the glob.
    template <class Facts>
    bool test(hlo_instruction i, const Facts& facts) const {
      return matches_glob(glob, of(i, facts));
    }
  };
  constexpr test_of operator()(std::string_view glob) const { return {of, glob}; }
};
/// The property of that name.
template <knowledge Needs, class Of>
constexpr text_property<Needs, Of> text(std::string_view name, std::string_view what, Of of) {
  return {name, what, of};
}

/// A property that holds or does not. Called it is a pattern: `in_loop()`.
template <knowledge Needs, class Of>
struct flag_property {
  static constexpr knowledge needs = Needs;  ///< what it takes to know it
  std::string_view name;                     ///< in queries
  std::string_view what;                     ///< what it is, for the manual
  Of of;                                     ///< `(instruction, facts) -> bool`

  /// The pattern.
  struct test_of : tested<test_of> {
    static constexpr knowledge needs = Needs;  ///< of the property
    Of of;                                     ///< of the property
    constexpr explicit test_of(Of f) : of(f) {}
    /// Whether it holds.
    template <class Facts>
    bool test(hlo_instruction i, const Facts& facts) const {
      return of(i, facts);
    }
  };
  constexpr test_of operator()() const { return test_of(of); }
};
/// The property of that name.
template <knowledge Needs, class Of>
constexpr flag_property<Needs, Of> flag(std::string_view name, std::string_view what, Of of) {
  return {name, what, of};
}

}  // namespace hlolint::match
