// A check is a small struct, or a lambda, with exactly one call operator. A struct may also have
//   static constexpr rule about{...};            id, name, level, needs and explanation
//   byte_count min_bytes = 1_MiB;                what users can set, and its default
//   static constexpr auto options = std::tuple{option{"min-bytes", &my_check::min_bytes, "help"}};
// These members have the same meaning in all checks, so checks do not explain them. A catalogue lists checks; it is
// made by `checks(...)` or `|`. The built-in checks stand in two halves, declaration and code, so that programs that
// link hlolint::compiled read only the first (text/compiled.hpp); a check of one's own needs no halves.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>
#include <hlolint/lint/rule.hpp>
#include <hlolint/text/compiled.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hlolint {

// The four forms of a check.

/// Called once for a module.
template <class C>
concept module_check = requires(const C& c, const hlo_module& module, sink_ref& emit) {
  c(module, emit);
};
/// Called once for a module's buffers.
template <class C>
concept buffer_check = requires(const C& c, const buffer_dump& buffers, sink_ref& emit) {
  c(buffers, emit);
};
/// Called for every instruction of the module, in one walk that all such checks share.
template <class C>
concept instruction_check = requires(const C& c, hlo_instruction i, const context& dump, sink_ref& emit) {
  c(i, dump, emit);
};
/// Called once, with whatever exists.
template <class C>
concept context_check = requires(const C& c, const context& dump, sink_ref& emit) {
  c(dump, emit);
};

/// The number of the four forms that a type has; a check has one.
template <class C>
inline constexpr int check_forms = module_check<C> + buffer_check<C> + instruction_check<C> + context_check<C>;

/// A type or lambda that can be composed and run: it has one of the four forms.
template <class C>
concept checker = std::copy_constructible<C> && check_forms<C>
== 1;

/// Has `static constexpr rule about`.
template <class C>
concept has_rule = std::same_as<std::remove_cvref_t<decltype(C::about)>, rule>;

/// The rule of a check: its own, or `custom_rule`.
template <class C>
constexpr const rule& rule_of() {
  if constexpr (has_rule<C>) {
    return C::about;
  } else {
    return custom_rule;
  }
}

/// All conditions of a check: those implied by its form and those of its rule.
template <class C>
constexpr need needs_of() {
  need set = rule_of<C>().needs;
  if constexpr (module_check<C> || instruction_check<C>) set = set | need::hlo;
  if constexpr (buffer_check<C>)
    if (!contains(set, need::memory)) set = set | need::buffers;
  if (contains(set, need::scheduled)) set = set | need::hlo;
  return set;
}

/// Whether a check is worth an estimate of this module's memory even if the user did not name its rule. A check that
/// compares with something beside the dump, such as a limit, has `std::string_view lacks(const context&) const`, and is
/// not run if the result names something missing; it is worth an estimate if nothing is missing or, if it also has
/// `bool is_asked(const context&) const`, if that returns true.
template <class C>
bool is_asked(const C& check, const context& dump) {
  if constexpr (requires { check.is_asked(dump); }) {
    return check.is_asked(dump);
  } else if constexpr (requires { check.lacks(dump); }) {
    return check.lacks(dump).empty();
  } else {
    return false;
  }
}

namespace detail {
// The requirements of a check, each with its own message.
template <class C>
struct checked {
  static_assert(check_forms<C> > 0,
                "a check needs a const call operator: (const hlo_module&, sink), (const buffer_dump&, sink), "
                "(hlo_instruction, const context&, sink) or (const context&, sink)");
  static_assert(check_forms<C> < 2,
                "a check has only one call operator: (const hlo_module&, sink), (const buffer_dump&, sink), "
                "(hlo_instruction, const context&, sink) or (const context&, sink)");
  static_assert(
      !requires { C::needs; } && !requires { C::looks_at; },
      "`needs` and `looks_at` are members of the rule: `rule about{..., .needs = need::scheduled, ...}`");
  static_assert(
      rule_of<C>().compares == requires(const C& c, const context& dump) { c.lacks(dump); },
      "a check has `std::string_view lacks(const context&) const` if its rule has `.compares = true`, and no other "
      "has");
  static_assert(instruction_check<C> || !rule_of<C>().looks_at,
                "only a check of instructions has `looks_at` in its rule");
  static_assert(!rule_of<C>().id.empty() && !rule_of<C>().name.empty(), "a rule has an id and a name");
  static constexpr bool value = true;
};
}  // namespace detail

/// Checks in a fixed order, each with its own rule; made by `checks(a, b, ...)` or `a | b`.
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
  /// Compiles only for checks, with at most one of each rule.
  constexpr explicit catalogue(Checks... list) requires(sizeof...(Checks) > 0) : checks(std::move(list)...) {}
  /// From a tuple.
  constexpr explicit catalogue(std::in_place_t, std::tuple<Checks...> list) : checks(std::move(list)) {}

  /// The number of checks.
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

// Loose on purpose: a struct with a rule and a wrong call operator gets the message of `checked`, not "no operator |".
template <class T>
concept part_of_catalogue = is_catalogue<T> || has_rule<T>;
}  // namespace detail

/// Converts a check to a catalogue; a catalogue stays.
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

/// Joins checks and catalogues in the order given: `checks(all, team::bf16_all_reduce{}, [](...) {...})`. Also takes
/// lambdas and types of other namespaces, for which `|` is not found.
template <class... Parts>
constexpr auto checks(Parts... parts) {
  return detail::joined(std::tuple_cat(as_catalogue(std::move(parts)).checks...));
}

/// `checks(a, b)`, if one of the two is of hlolint.
template <class A, class B>
requires(detail::part_of_catalogue<A> || detail::part_of_catalogue<B> || (checker<A> && checker<B>)) constexpr auto
operator|(A a, B b) {
  return checks(std::move(a), std::move(b));
}

/// Calls `f(rule, check)` for every check, in order.
template <class... Checks, class F>
constexpr void for_each_check(const catalogue<Checks...>& list, F&& f) {
  std::apply([&](const auto&... check) { (f(rule_of<Checks>(), check), ...); }, list.checks);
}
/// For checks that can be changed, such as their options.
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
