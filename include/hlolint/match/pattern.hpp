// Patterns over instructions, their combinations, and captures.
#pragma once

#include <hlolint/match/state.hpp>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace hlolint::match {

/// Base of all patterns. A pattern P has `bool match(hlo_instruction, match_state<Facts>&, next_step) const`, which
/// calls the next step for each way in which the instruction matches, until that returns true.
struct pattern_base {
  static constexpr knowledge needs = knowledge::module;  ///< the HLO alone, unless a pattern has its own `needs`
};
/// A pattern.
template <class P>
concept pattern = std::is_base_of_v<pattern_base, P>;

/// A pattern decided by a test of one instruction: `bool test(hlo_instruction, const Facts&) const`.
template <class Self>
struct tested : pattern_base {
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return state.step() && static_cast<const Self&>(*this).test(i, state.facts()) && next();
  }
};

/// Any instruction.
struct any_instruction : tested<any_instruction> {
  /// Always.
  template <class Facts>
  bool test(hlo_instruction, const Facts&) const {
    return true;
  }
};
/// Any instruction.
inline constexpr any_instruction any{};
/// Among operands: any number of further ones.
struct rest_of_operands {};
/// Among operands: any number of further ones, at any place.
inline constexpr rest_of_operands rest{};

/// Both match, the first one first.
template <pattern A, pattern B>
struct both : pattern_base {
  static constexpr knowledge needs = A::needs | B::needs;  ///< those of both
  A first;                                                 ///< tried first
  B second;                                                ///< with the captures of the first
  constexpr both(A a, B b) : first(std::move(a)), second(std::move(b)) {}
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return first.match(i, state, [&] { return second.match(i, state, next); });
  }
};
/// Both patterns match.
template <pattern A, pattern B>
constexpr both<A, B> operator&(A a, B b) {
  return {std::move(a), std::move(b)};
}

/// One of two matches.
template <pattern A, pattern B>
struct either : pattern_base {
  static constexpr knowledge needs = A::needs | B::needs;  ///< those of both
  A first;                                                 ///< tried first
  B second;                                                ///< tried if the rest does not match with the first
  constexpr either(A a, B b) : first(std::move(a)), second(std::move(b)) {}
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return first.match(i, state, next) || second.match(i, state, next);
  }
};
/// One of two patterns matches.
template <pattern A, pattern B>
constexpr either<A, B> operator|(A a, B b) {
  return {std::move(a), std::move(b)};
}

/// The pattern does not match. Its captures are not visible outside.
template <pattern P>
struct negation : pattern_base {
  static constexpr knowledge needs = P::needs;  ///< those of the pattern
  P inner;                                      ///< what must not match
  constexpr explicit negation(P p) : inner(std::move(p)) {}
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return !inner.match(i, state, [] { return true; }) && !state.exhausted() && next();
  }
};
/// The pattern does not match.
template <pattern P>
constexpr negation<P> operator!(P p) {
  return negation<P>(std::move(p));
}

/// A name known at compile time.
template <std::size_t N>
struct fixed_name {
  char letters[N];  ///< with the terminating zero
  constexpr fixed_name(const char (&text)[N]) { std::copy_n(text, N, letters); }
  /// The name without the zero.
  constexpr std::string_view view() const { return {letters, N - 1}; }
};
/// Binds a name to the matching instruction. A name bound twice must be the same instruction.
template <fixed_name Name, pattern P>
struct bound : pattern_base {
  static constexpr knowledge needs = P::needs;  ///< those of the pattern
  P inner;                                      ///< the named pattern
  constexpr explicit bound(P p) : inner(std::move(p)) {}
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    return inner.match(i, state, [&] { return state.bind(Name.view(), i, next); });
  }
};
/// bind<"x">(pattern): the matching instruction is `["x"]` of the match.
template <fixed_name Name, pattern P = any_instruction>
constexpr bound<Name, P> bind(P p = {}) {
  return bound<Name, P>(std::move(p));
}

namespace detail {
// Matches operands with a list of patterns, given by `is_rest(k)` and `match_one(k, operand, next)`. Recurses as deep
// as there are patterns.
template <class Facts, class IsRest, class MatchOne>
struct operand_walk {
  hlo_instruction i;
  match_state<Facts>& state;
  std::size_t count;
  const IsRest& is_rest;
  const MatchOne& match_one;
  next_step next;

  bool from(std::size_t k, std::size_t operand) const {
    if (!state.step()) return false;
    if (k == count) return operand == i.operand_count() && next();
    if (is_rest(k)) {
      if (k + 1 == count) return next();
      for (std::size_t skipped = operand; skipped <= i.operand_count(); ++skipped)
        if (from(k + 1, skipped)) return true;
      return false;
    }
    if (operand == i.operand_count() || !i.operand(operand)) return false;
    return match_one(k, i.operand(operand), [&] { return from(k + 1, operand + 1); });
  }
};
template <class Facts, class IsRest, class MatchOne>
bool match_operands(hlo_instruction i, match_state<Facts>& state, std::size_t count, const IsRest& is_rest,
                    const MatchOne& match_one, next_step next) {
  return operand_walk<Facts, IsRest, MatchOne>{i, state, count, is_rest, match_one, next}.from(0, 0);
}
template <class P>
constexpr knowledge needs_of_operand() {
  if constexpr (std::is_same_v<P, rest_of_operands>)
    return knowledge::module;
  else
    return P::needs;
}
}  // namespace detail

/// The operands in order: one pattern each, `rest` for any number.
template <class... Ps>
struct operand_patterns : pattern_base {
  static constexpr knowledge needs = (knowledge::module | ... | detail::needs_of_operand<Ps>());  ///< those of all
  std::tuple<Ps...> list;  ///< one for each operand
  constexpr explicit operand_patterns(Ps... ps) : list(std::move(ps)...) {}
  /// See `pattern_base`.
  template <class Facts>
  bool match(hlo_instruction i, match_state<Facts>& state, next_step next) const {
    constexpr bool rests[] = {std::is_same_v<Ps, rest_of_operands>..., false};
    const auto is_rest = [&](std::size_t k) { return rests[k]; };
    const auto match_one = [&](std::size_t k, hlo_instruction operand, next_step then) {
      return with(k, std::index_sequence_for<Ps...>{}, [&](const auto& p) { return p.match(operand, state, then); });
    };
    return detail::match_operands(i, state, sizeof...(Ps), is_rest, match_one, next);
  }

 private:
  template <std::size_t... At, class F>
  bool with(std::size_t k, std::index_sequence<At...>, F&& f) const {
    bool found = false;
    const auto try_one = [&]<std::size_t K>() {
      if constexpr (!std::is_same_v<std::tuple_element_t<K, std::tuple<Ps...>>, rest_of_operands>)
        if (K == k) found = f(std::get<K>(list));
    };
    (try_one.template operator()<At>(), ...);
    return found;
  }
};
/// operands(a, rest, b): the first operand matches a, the last one b.
template <class... Ps>
constexpr operand_patterns<Ps...> operands(Ps... ps) {
  static_assert(((pattern<Ps> || std::is_same_v<Ps, rest_of_operands>)&&...), "operands are patterns, or `rest`");
  return operand_patterns<Ps...>(std::move(ps)...);
}

}  // namespace hlolint::match
