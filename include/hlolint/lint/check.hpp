// What a check is: a small struct, or a lambda, with exactly one call operator. A struct may also have
//   static constexpr rule about{...};            id, name, level and explanation; `since` is 0.1 where it is not given
//   static constexpr need needs = need::...;     without it the check is not run
//   byte_count min_bytes = 1_MiB;                what users can set, and its default
//   static constexpr auto options = std::tuple{option{"min-bytes", &my_check::min_bytes, "help"}};
// The members have these meanings in all checks, so the checks do not repeat them. A check whose findings cost time
// (`rule::costs`) includes lint/finding_costs.hpp, one that needs live ranges, used values or memory
// lint/memory_estimate.hpp: the others need neither.
#pragma once

#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/opcode.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/needs.hpp>
#include <hlolint/lint/option.hpp>
#include <hlolint/lint/rule.hpp>
#include <hlolint/lint/sink.hpp>
#include <hlolint/text/compiled.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hlolint {

/// What a check of the form `(const paired&, sink)` reads. Refers to the parts of a `context`.
struct paired {
  const hlo_module& hlo;  ///< the module
  const buffer_dump& buffers;  ///< the buffers of that module
};

// The five forms of a check.

/// Called once for a module.
template <class C>
concept module_check = requires(const C& c, const hlo_module& module, sink_ref& report) { c(module, report); };
/// Called once for a module's buffers.
template <class C>
concept buffer_check = requires(const C& c, const buffer_dump& buffers, sink_ref& report) { c(buffers, report); };
/// Called once for a module and its buffers, where both are there.
template <class C>
concept paired_check = requires(const C& c, const paired& both, sink_ref& report) { c(both, report); };
/// Called for every instruction of the module, in one walk that all such checks share.
template <class C>
concept instruction_check =
    requires(const C& c, hlo_instruction i, const context& dump, sink_ref& report) { c(i, dump, report); };
/// Called once, with whatever is there.
template <class C>
concept context_check = requires(const C& c, const context& dump, sink_ref& report) { c(dump, report); };

/// How many of the five forms a type has; a check has one.
template <class C>
inline constexpr int check_forms = module_check<C> + buffer_check<C> + paired_check<C> + instruction_check<C> +
                                   context_check<C>;

/// A type or lambda that can be composed and run: it has one of the five forms.
template <class C>
concept checker = std::copy_constructible<C> && check_forms<C> == 1;

/// Has `static constexpr rule about`.
template <class C>
concept has_rule = std::same_as<std::remove_cvref_t<decltype(C::about)>, rule>;

/// The rule that a check reports under: its own, or `custom_rule`.
template <class C>
constexpr const rule& rule_of() {
  if constexpr (has_rule<C>) {
    return C::about;
  } else {
    return custom_rule;
  }
}

/// Everything a check needs: what its form implies and what it lists in `needs`.
template <class C>
constexpr need needs_of() {
  need set = need::nothing;
  if constexpr (requires { C::needs; }) {
    static_assert(std::same_as<std::remove_cvref_t<decltype(C::needs)>, need>, "`needs` of a check is of type need");
    set = C::needs;
  }
  if constexpr (module_check<C> || instruction_check<C>) set = set | need::hlo;
  if constexpr (buffer_check<C>)
    if (!contains(set, need::memory)) set = set | need::buffers;
  if constexpr (paired_check<C>) set = set | need::hlo | need::buffers;
  if (contains(set, need::scheduled)) set = set | need::hlo;
  return set;
}

/// Whether what a check compares with asks for an estimate of the memory of this module. Of others only those who name
/// their rule do. A check that compares with something beside the dump, such as a limit, has
/// `std::string_view lacks(const context&) const` and is not run if that names what is missing; if it is worth an
/// estimate for some modules only, it has `bool is_asked(const context&) const` too.
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

/// Whether a check on instructions may report anything about one with this opcode. A check that has
/// `static constexpr bool looks_at(hlo_opcode)` is only called for those that it names.
template <instruction_check C>
constexpr bool looks_at(hlo_opcode opcode) {
  if constexpr (requires { C::looks_at(opcode); }) {
    static_assert(std::same_as<decltype(C::looks_at(opcode)), bool>, "`looks_at` of a check answers with a bool");
    return C::looks_at(opcode);
  } else {
    return true;
  }
}

/// A lambda with a rule: `with_rule<my_rule>([](const hlo_module& m, sink auto& report) { ... })`, where `my_rule` is a
/// constexpr variable with static storage.
template <const rule& About, class F>
struct ruled : F {
  /// The rule that findings are reported under.
  static constexpr const rule& about = About;
  /// Called as the lambda is.
  using F::operator();
};
/// The lambda as a check of that rule.
template <const rule& About, class F>
constexpr ruled<About, F> with_rule(F check) {
  return {std::move(check)};
}

namespace detail {
// Everything that is required of a check, each with a message of its own.
template <class C>
struct checked {
  static_assert(check_forms<C> > 0,
                "a check needs a const call operator: (const hlo_module&, sink), (const buffer_dump&, sink), "
                "(const paired&, sink), (hlo_instruction, const context&, sink) or (const context&, sink)");
  static_assert(check_forms<C> < 2,
                "a check has only one call operator: (const hlo_module&, sink), (const buffer_dump&, sink), "
                "(const paired&, sink), (hlo_instruction, const context&, sink) or (const context&, sink)");
  static_assert(!rule_of<C>().id.empty() && !rule_of<C>().name.empty(), "a rule has an id and a name");
  static constexpr bool value = true;
};
}  // namespace detail

}  // namespace hlolint
