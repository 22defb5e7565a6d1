// Directives that hand what was read to functions: of a state, or ones that check a value; pools of values; recovery.
#pragma once

#include <hlolint/grammar/x3/rule.hpp>
#include <hlolint/grammar/x3/scan.hpp>

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

/// checked<f>[p]: once p has matched, `f(state, text, value)` looks at its value and notes the rules of numbers and names
/// that it breaks. The value is passed on.
template <auto F>
struct checked_directive {
  template <class P, class Context, class Rule, class To>
  bool operator()(const P& p, const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    x3::skip_over(first, last, context);
    const char* const begin = first;
    auto& state = from<typename state_of_function<decltype(F)>::type>(context);
    if constexpr (is_unused<To>) {
      value_of_parser<P, Context> value{};
      if (!p.parse(first, last, context, rule, value)) return false;
      F(state, view(begin, first), value);
    } else {
      if (!p.parse(first, last, context, rule, to)) return false;
      F(state, view(begin, first), to);
    }
    return true;
  }
};
template <auto F>
inline constexpr directive<checked_directive<F>, same> checked{};

/// to<&S::keep>[p]: hands the value of p to a member function of the state S: `keep()`, `keep(value)`, `keep(text)` or
/// `keep(value, text)`, where `text` is what p took. If the function returns false, p does not belong here and fails.
template <auto F>
struct to_directive {
  template <class P, class Context, class Rule, class To>
  bool operator()(const P& p, const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    using value_type = value_of_parser<P, Context>;
    auto& state = from<typename state_of_function<decltype(F)>::type>(context);
    const char* p_begin = first;
    if constexpr (!is_unused<value_type> || !std::is_invocable_v<decltype(F), decltype(state)>) x3::skip_over(p_begin, last, context);
    const char* p_end = p_begin;
    if constexpr (is_unused<value_type>) {
      if (!p.parse(p_end, last, context, rule, x3::unused)) return false;
      if (!call(state, view(p_begin, p_end))) return false;
    } else {
      value_type value{};
      if (!p.parse(p_end, last, context, rule, value)) return false;
      if constexpr (std::is_invocable_v<decltype(F), decltype(state), value_type&&, std::string_view>) {
        if (!answer_of(state, static_cast<value_type&&>(value), view(p_begin, p_end))) return false;
      } else if constexpr (std::is_invocable_v<decltype(F), decltype(state), value_type&&>) {
        give(value, to);
        if (!answer_of(state, static_cast<value_type&&>(value))) return false;
      } else {
        if (!call(state, view(p_begin, p_end))) return false;
      }
    }
    first = p_end;
    return true;
  }

 private:
  template <class State, class... Args>
  static bool answer_of(State& state, Args&&... args) {
    if constexpr (std::is_same_v<std::invoke_result_t<decltype(F), State&, Args&&...>, bool>)
      return (state.*F)(static_cast<Args&&>(args)...);
    else
      return (state.*F)(static_cast<Args&&>(args)...), true;
  }
  template <class State>
  static bool call(State& state, std::string_view taken) {
    if constexpr (std::is_invocable_v<decltype(F), State&, std::string_view>)
      return answer_of(state, taken);
    else
      return answer_of(state);
  }
};
template <auto F>
inline constexpr directive<to_directive<F>> to{};
/// passing<&S::note>[p]: the same for a p whose value is text, which is passed on as well.
template <auto F>
inline constexpr directive<to_directive<F>, std::string_view> passing{};

/// alone[p]: p sees the small state and the skipper, not the state of the language it is used in. Shapes and attribute
/// values are so compiled once, whoever reads them.
struct alone_directive {
  template <class P, class Context, class Rule, class To>
  bool operator()(const P& p, const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    return p.parse(first, last, shared_context(context), rule, to);
  }
};
inline constexpr directive<alone_directive, same> alone{};

/// until_failure[p]: p, if it ends in the line of the furthest failure at the latest.
struct until_failure_directive {
  template <class P, class Context, class Rule, class To>
  bool operator()(const P& p, const char*& first, const char* const& last, const Context& context, Rule& rule,
                  To& to) const {
    const char* const furthest = from<parse_state>(context).furthest;
    const char* const line_end = furthest && furthest >= first ? scan::find(furthest, last, '\n') : nullptr;
    const char* const end = line_end ? line_end : last;
    return p.parse(first, end, context, rule, to);
  }
};
inline constexpr directive<until_failure_directive> until_failure{};

// ------------------------------------------------------------------ pools
/// interned<&S::pool>(outline)[p]: the number of p's value in a pool of the state S. Of texts that the outline finds equal
/// one is parsed. The pool has `number(text)`, a reference to the text's number or `unknown`; `add()` for a new value,
/// `drop()` to take it back, and `keep(text)`, which returns its number; and it may remember what began like this:
/// `recent(rest)` is the size of that text, or 0, and its number.
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
  template <class P, class Context, class Rule, class To>
  bool operator()(const P& p, const char*& first, const char* const& last, const Context& context, Rule&, To& to) const {
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
    if (!outline.parse(end, last, inner, x3::unused, x3::unused)) {
      p.parse(begin, last, inner, x3::unused, x3::unused);  // for its message
      return false;
    }
    auto& number = pool.number(view(first, end));
    if (number == pool.unknown) {
      if (!p.parse(begin, end, inner, x3::unused, pool.add()) || begin != end) {
        pool.drop();
        return false;
      }
      number = pool.keep(view(first, end));
    }
    give(number, to);
    if constexpr (requires { pool.recent(std::string_view{}); }) pool.remember(view(first, last), view(first, end), number);
    first = end;
    return true;
  }
};
template <auto Pool, class Outline>
constexpr directive<interned_directive<Pool, Outline>, typename pool_member<decltype(Pool)>::number> interned(const Outline& outline) {
  return {{outline}};
}

// ------------------------------------------------------------------ recovery
/// recover<S>(stop, next, line)[p]: p; if it fails and no `stop` stands here, the state S reports the failure, and reading
/// goes on at the next `line` where `next` or `stop` does. S has `const char* report(first, last)`: it files one
/// diagnostic and returns the beginning of the first line that is not skipped for it.
template <class State>
struct report_parser : x3::parser<report_parser<State>>, valued<x3::unused_type> {
  static constexpr bool handles_container = false;
  template <class Context, class Rule, class To>
  [[gnu::noinline, gnu::cold]] bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    first = from<State>(context).report(first, last);
    return true;
  }
};
template <class State>
inline constexpr report_parser<State> report{};

template <class State, class Stop, class Next, class Line>
struct recovery {
  template <class P>
  constexpr auto operator[](const P& p) const {
    return p | !stop >> report<State> >> *(line - (stop | next));
  }
  Stop stop;
  Next next;
  Line line;
};
template <class State, class Stop, class Next, class Line>
constexpr auto recover(const Stop& stop, const Next& next, const Line& line) {
  return recovery<State, parser_of<Stop>, parser_of<Next>, parser_of<Line>>{x3::as_parser(stop), x3::as_parser(next), x3::as_parser(line)};
}

}  // namespace hlolint::grammar
