// Directives that hand what was read to functions: of a state, or ones that check a value; pools of values.
#pragma once

#include <hlolint/grammar/x3/rule.hpp>
#include <hlolint/grammar/x3/scan.hpp>

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace hlolint::grammar {

// ------------------------------------------------------------------ functions
/// The state that a function of a directive belongs to or takes first.
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

/// checked<f>[p]: once p has matched, `f(state, text, value)` looks at its value and notes the rules of numbers and
/// names that it breaks. The value is passed on.
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

/// The answer of a function that returns nothing is yes: `((state.*f)(value), answered{})` is what it returns if that
/// is a bool, and else true.
struct answered {
  explicit operator bool() const { return true; }
};
constexpr bool operator,(std::same_as<bool> auto answer, answered) { return answer; }
template <auto F, class... Args>
inline constexpr bool takes = std::is_invocable_v<decltype(F), typename state_of_function<decltype(F)>::type&, Args...>;

/// call<&S::keep>[p]: hands the value of p to a member function of the state S: `keep()`, `keep(value)`, `keep(text)`
/// or `keep(value, text)`, where `text` is what p took. If the function returns false, p does not belong here and
/// fails.
template <auto F>
struct call_directive {
  template <class P>
  struct parser : directed<P, call_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      using value_type = value_of_parser<P>;
      auto& state = from<typename state_of_function<decltype(F)>::type>(context);
      const char* begin = first;
      if constexpr (!is_unused<value_type> || !takes<F>) x3::skip_over(begin, last, context);
      const char* end = begin;
      if constexpr (!is_unused<value_type>) {
        value_type value{};
        if (!this->subject.parse(end, last, context, rule, value)) return false;
        if constexpr (takes<F, value_type&&, std::string_view>) {
          if (!((state.*F)(static_cast<value_type&&>(value), view(begin, end)), answered{})) return false;
        } else if constexpr (takes<F, value_type&&>) {
          give(value, to);
          if (!((state.*F)(static_cast<value_type&&>(value)), answered{})) return false;
        } else if constexpr (takes<F, std::string_view>) {
          if (!((state.*F)(view(begin, end)), answered{})) return false;
        } else {
          if (!((state.*F)(), answered{})) return false;
        }
      } else {
        if (!this->subject.parse(end, last, context, rule, x3::unused)) return false;
        if constexpr (takes<F, std::string_view>) {
          if (!((state.*F)(view(begin, end)), answered{})) return false;
        } else {
          if (!((state.*F)(), answered{})) return false;
        }
      }
      first = end;
      return true;
    }
  };
};
/// `call<&S::begin>` by itself takes nothing: `begin()`, or `begin(place)` with an empty text, where reading stands
/// after blanks.
template <auto F>
struct call_parser : parser_part, valued<x3::unused_type> {
  static constexpr bool has_action = true;
  template <class P>
  constexpr typename call_directive<F>::template parser<part_type<P>> operator[](const P& p) const {
    return {{{}, {}, part_type<P>(p), {}}};
  }
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    auto& state = from<typename state_of_function<decltype(F)>::type>(context);
    const char* at = first;
    x3::skip_over(at, last, context);
    if constexpr (takes<F, std::string_view>) {
      if (!((state.*F)(view(at, at)), answered{})) return false;
    } else {
      if (!((state.*F)(), answered{})) return false;
    }
    first = at;
    return true;
  }
};
template <auto F>
inline constexpr call_parser<F> call{};

/// part<&S::begin, &S::end>[p]: `begin()` or `begin(place)`; p; then `end()` or `end(text)` with the text that p took.
/// If begin returns a record, p fills its members. If end returns false, p fails.
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
      if constexpr (!std::is_same_v<decltype(End), std::nullptr_t>) {
        if constexpr (takes<End, std::string_view>) {
          if (!((state.*End)(view(begin, at)), answered{})) return false;
        } else {
          if (!((state.*End)(), answered{})) return false;
        }
      }
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

/// asked<&S::kind>: takes nothing; the value is what the state returns. For the tables of `by`.
template <auto F>
struct asked_parser : parser_part {
  using state = typename state_of_function<decltype(F)>::type;
  using attribute_type = std::invoke_result_t<decltype(F), state&>;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class Rule, class To>
  bool parse(const char*&, const char* const&, const Context& context, Rule&, To& to) const {
    give((from<state>(context).*F)(), to);
    return true;
  }
};
template <auto F>
inline constexpr asked_parser<F> asked{};

/// without_state[p]: p sees the small state and the skipper, not the state of the language it is used in. Shapes and
/// attribute values are so compiled once, whoever reads them.
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

/// until_failure[p]: p, if it ends in the line of the furthest failure at the latest.
struct until_failure_directive {
  template <class P>
  struct parser : directed<P, until_failure_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
      const char* const furthest = from<parse_state>(context).furthest;
      const char* const line_end = furthest && furthest >= first ? scan::find(furthest, last, '\n') : nullptr;
      const char* const end = line_end ? line_end : last;
      return this->subject.parse(first, end, context, rule, to);
    }
  };
};
inline constexpr directive<until_failure_directive> until_failure{};

// ------------------------------------------------------------------ pools
/// interned<&S::pool>(outline)[p]: the number of p's value in a pool of the state S. Of texts that the outline finds
/// equal one is parsed. The pool has `number(text)`, a reference to the text's number or `unknown`; `add()` for a new
/// value, `drop()` to take it back, and `keep(text)`, which returns its number; and it may remember what began like
/// this: `recent(rest)` is the size of that text, or 0, and its number.
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
