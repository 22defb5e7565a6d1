// Lists of checks, made with `checks(...)` or `|`, and what can be done with all of them at once.
#pragma once

#include <hlolint/lint/check.hpp>
#include <hlolint/lint/option.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>

namespace hlolint {

/// Checks in a fixed order, each of another rule; made by `checks(a, b, ...)` or `a | b`.
template <class... Checks>
class catalogue {
  static_assert((detail::checked<Checks>::value && ...));

  static constexpr bool distinct() {
    const std::array<const rule*, sizeof...(Checks) + 1> rules{&rule_of<Checks>()..., nullptr};
    for (std::size_t i = 0; i < sizeof...(Checks); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (rules[i]->id != custom_rule.id && (rules[i]->id == rules[k]->id || rules[i]->name == rules[k]->name))
          return false;
    return true;
  }
  static_assert(distinct(), "two checks share an id or a name");

 public:
  constexpr catalogue() = default;
  /// A check of each rule; two checks of one rule do not compile, and neither does what is not a check.
  constexpr explicit catalogue(Checks... list)
    requires(sizeof...(Checks) > 0)
      : checks(std::move(list)...) {}
  /// The same from a tuple.
  constexpr explicit catalogue(std::in_place_t, std::tuple<Checks...> list) : checks(std::move(list)) {}

  /// How many checks there are.
  static constexpr std::size_t size() { return sizeof...(Checks); }

  std::tuple<Checks...> checks;  ///< in the order in which they run
};
/// The catalogue of its arguments.
template <class... Checks>
catalogue(Checks...) -> catalogue<Checks...>;

namespace detail {
template <class T>
inline constexpr bool is_catalogue = false;
template <class... Checks>
inline constexpr bool is_catalogue<catalogue<Checks...>> = true;

// Loose on purpose: a struct with a rule and a wrong call operator gets the words of `checked`, not "no operator |".
template <class T>
concept part_of_catalogue = is_catalogue<T> || has_rule<T>;
}  // namespace detail

/// A check or a catalogue as a catalogue.
template <class T>
constexpr auto as_catalogue(T part) {
  if constexpr (detail::is_catalogue<T>) {
    return part;
  } else {
    return catalogue<T>(std::move(part));
  }
}

namespace detail {
template <class... Checks>
constexpr auto joined(std::tuple<Checks...> list) {
  return catalogue<Checks...>(std::in_place, std::move(list));
}
}  // namespace detail

/// One catalogue of any checks and catalogues, in the order given: `checks(all, team::bf16_all_reduce{}, [](...)
/// {...})`. Lambdas and types of other namespaces are welcome, for which `|` is not found.
template <class... Parts>
constexpr auto checks(Parts... parts) {
  return detail::joined(std::tuple_cat(as_catalogue(std::move(parts)).checks...));
}

/// `checks(a, b)`, where one of the two is of hlolint.
template <class A, class B>
  requires(detail::part_of_catalogue<A> || detail::part_of_catalogue<B> || (checker<A> && checker<B>))
constexpr auto operator|(A a, B b) {
    return checks(std::move(a), std::move(b));
}

/// Calls `f(rule)` for every check, in order: the only enumeration of rules.
template <class... Checks, class F>
constexpr void for_each_rule(const catalogue<Checks...>&, F&& f) {
  (f(rule_of<Checks>()), ...);
}

/// Calls `f(rule, check)` for every check, in order.
template <class... Checks, class F>
constexpr void for_each_check(const catalogue<Checks...>& list, F&& f) {
  std::apply([&](const auto&... check) { (f(rule_of<Checks>(), check), ...); }, list.checks);
}
/// The same with checks that can be changed, such as their options.
template <class... Checks, class F>
constexpr void for_each_check(catalogue<Checks...>& list, F&& f) {
  std::apply([&](auto&... check) { (f(rule_of<Checks>(), check), ...); }, list.checks);
}

/// The rules by position.
template <class... Checks>
constexpr std::array<rule, sizeof...(Checks)> rules_of(const catalogue<Checks...>&) {
  return {rule_of<Checks>()...};
}

}  // namespace hlolint
