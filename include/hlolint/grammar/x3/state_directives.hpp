// Directives that hand what was read to functions: member functions of a state, or functions that check a value. The
// last one numbers values in a pool.
#pragma once

#include <hlolint/grammar/x3/rule.hpp>
#include <hlolint/grammar/x3/scan.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hlolint::grammar {

// ------------------------------------------------------------------ functions
/// The state that a function belongs to, or takes as its first argument.
template <class F>
struct state_of_function;
template <class R, class State, class... Args>
struct state_of_function<R (*)(State&, Args...)> {
  using type = State;
};
template <class R, class State, class... Args>
struct state_of_function<R (State::*)(Args...)> {
  using type = State;
};
template <class R, class State, class... Args>
struct state_of_function<R (State::*)(Args...) const> {
  using type = State;
};

/// checked<f>[p]: once p has matched, `f(state, text, value)` notes which rules of numbers and names the value of p
/// breaks. The value is passed on.
template <auto F>
struct checked_directive {
  template <class P>
  struct parser : directed<P, checked_directive, same> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      x3::skip_over(first, last, context);
      const char* const begin = first;
      auto& state = from<typename state_of_function<decltype(F)>::type>(context);
      if constexpr (is_unused<To>) {
        value_of_parser<P> value{};
        if (!this->subject.parse(first, last, context, rule, value)) return false;
        F(state, view(begin, first), value);
      } else {
        if (!this->subject.parse(first, last, context, rule, to)) return false;
        F(state, view(begin, first), to);
      }
      return true;
    }
  };
};
template <auto F>
inline constexpr directive<checked_directive<F>> checked{};

/// `(call, answered{})` is what the call returns if it returns a bool, and true if it returns nothing.
struct answered {
  explicit operator bool() const { return true; }
};
constexpr bool operator,(std::same_as<bool> auto answer, answered) { return answer; }
template <auto F, class... Args>
inline constexpr bool takes = std::is_invocable_v<decltype(F), typename state_of_function<decltype(F)>::type&, Args...>;
/// Calls a member function of the state with as much of the value and the text as it takes. False if it returns false.
template <auto F, class State, class... Value>
[[gnu::always_inline]] inline bool hand_over(State& state, std::string_view text, Value&&... value) {
  if constexpr (takes<F, Value..., std::string_view>)
    return static_cast<bool>(((state.*F)(std::forward<Value>(value)..., text), answered{}));
  else if constexpr (takes<F, Value...>)
    return static_cast<bool>(((state.*F)(std::forward<Value>(value)...), answered{}));
  else if constexpr (takes<F, std::string_view>)
    return static_cast<bool>(((state.*F)(text), answered{}));
  else
    return static_cast<bool>(((state.*F)(), answered{}));
}

/// call<&S::keep>[p]: hands the value of p to a member function of the state S: `keep()`, `keep(value)`, `keep(text)`
/// or `keep(value, text)`, where `text` is what p took. If the function returns false, p does not belong here and
/// fails.
template <auto F>
struct call_directive {
  template <class P>
  struct parser : directed<P, call_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      using value_type = value_of_parser<P>;
      auto& state = from<typename state_of_function<decltype(F)>::type>(context);
      const char* begin = first;
      if constexpr (!is_unused<value_type> || !takes<F>) x3::skip_over(begin, last, context);
      const char* end = begin;
      if constexpr (is_unused<value_type>) {
        if (!this->subject.parse(end, last, context, rule, x3::unused)) return false;
        if (!hand_over<F>(state, view(begin, end))) return false;
      } else {
        value_type value{};
        if (!this->subject.parse(end, last, context, rule, value)) return false;
        if (!hand_over<F>(state, view(begin, end), static_cast<value_type&&>(value))) return false;
      }
      first = end;
      return true;
    }
  };
};
/// `call<&S::begin>` without brackets takes no text: it calls `begin()`, or `begin(place)` with an empty text that
/// stands after the blanks.
template <auto F>
struct call_parser : parser_part, valued<x3::unused_type> {
  static constexpr bool has_action = true;
  template <class P>
  constexpr typename call_directive<F>::template parser<part_type<P>> operator[](const P& p) const {
    return {{{}, {}, x3::as_parser(p), {}}};
  }
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    auto& state = from<typename state_of_function<decltype(F)>::type>(context);
    const char* at = first;
    x3::skip_over(at, last, context);
    if (!hand_over<F>(state, view(at, at))) return false;
    first = at;
    return true;
  }
};
template <auto F>
inline constexpr call_parser<F> call{};

/// part<&S::begin, &S::end>[p]: calls `begin()` or `begin(place)`, then p, then `end()` or `end(text)` with the text
/// that p took. If `begin` returns a record, p fills its members. If `end` returns false, p fails.
template <auto Begin, auto End>
struct part_directive {
  template <class P>
  struct parser : directed<P, part_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To&) const {
      auto& state = from<typename state_of_function<decltype(Begin)>::type>(context);
      const char* at = first;
      x3::skip_over(at, last, context);
      const char* const begin = at;
      if constexpr (std::is_reference_v<decltype(begin_at(state, begin))>) {
        if (!this->subject.parse(at, last, context, begin_at(state, begin), x3::unused)) return false;
      } else {
        begin_at(state, begin);
        if (!this->subject.parse(at, last, context, rule, x3::unused)) return false;
      }
      if constexpr (!std::is_same_v<decltype(End), std::nullptr_t>)
        if (!hand_over<End>(state, view(begin, at))) return false;
      first = at;
      return true;
    }
  };

 private:
  template <class State>
  static decltype(auto) begin_at(State& state, const char* where) {
    if constexpr (takes<Begin, std::string_view>)
      return (state.*Begin)(view(where, where));
    else
      return (state.*Begin)();
  }
};
template <auto Begin, auto End = nullptr>
inline constexpr directive<part_directive<Begin, End>> part{};

/// asked<&S::kind>: takes no text; the value is what the function of the state returns. The token of a table (`by`).
template <auto F>
struct asked_parser : parser_part {
  using state = typename state_of_function<decltype(F)>::type;
  using attribute_type = std::invoke_result_t<decltype(F), state&>;
  static constexpr bool has_attribute = true;
  template <class Context, class Rule, class To>
  bool parse(const char*&, const char* const&, const Context& context, Rule&, To& to) const {
    give((from<state>(context).*F)(), to);
    return true;
  }
};
template <auto F>
inline constexpr asked_parser<F> asked{};

/// without_state[p]: p sees the parse state and the skipper, but not the state of the language around it, so that
/// shapes and attribute values are compiled once for all languages.
struct without_state_directive {
  template <class P>
  struct parser : directed<P, without_state_directive, same> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      return this->subject.parse(first, last, shared_context(context), rule, to);
    }
  };
};
inline constexpr directive<without_state_directive> without_state{};

// ------------------------------------------------------------------ pools
/// interned<&S::pool>(outline)[p]: the number of p's value in a pool of the state S. The outline finds the end of a
/// text; equal texts are parsed once. The pool has `number(text)`, a reference to the number of the text or `unknown`;
/// `add()` for a new value, `drop()` to take it back, and `keep(text)`, which returns its number. It may have
/// `recent(rest)`: the size and the number of a known text that `rest` begins with, or a size of 0.
template <class>
struct pool_member;
template <class State, class Pool>
struct pool_member<Pool State::*> {
  using state = State;
  using number = typename Pool::number_type;
};
template <auto Pool, class Outline>
struct interned_directive {
  Outline outline;
  template <class P>
  struct parser : directed<P, interned_directive, typename pool_member<decltype(Pool)>::number> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To& to) const {
      auto& pool = from<typename pool_member<decltype(Pool)>::state>(context).*Pool;
      const auto& inner = shared_context(context);
      x3::skip_over(first, last, context);
      if constexpr (requires { pool.recent(std::string_view{}); }) {
        if (const auto [size, known] = pool.recent(view(first, last)); size != 0) {
          give(known, to);
          first += size;
          return true;
        }
      }
      const char *begin = first, *end = first;
      if (!this->does.outline.parse(end, last, inner, x3::unused, x3::unused)) {
        this->subject.parse(begin, last, inner, x3::unused, x3::unused);  // for its message
        return false;
      }
      auto& number = pool.number(view(first, end));
      if (number == pool.unknown) {
        if (!this->subject.parse(begin, end, inner, x3::unused, pool.add()) || begin != end) {
          pool.drop();
          return false;
        }
        number = pool.keep(view(first, end));
      }
      give(number, to);
      if constexpr (requires { pool.recent(std::string_view{}); })
        pool.remember(view(first, last), view(first, end), number);
      first = end;
      return true;
    }
  };
};
template <auto Pool, class Outline>
constexpr directive<interned_directive<Pool, Outline>> interned(const Outline& outline) {
  return {{outline}};
}

}  // namespace hlolint::grammar
