// What travels with a parse: one small state that every rule sees, and the way to the state of a language.
#pragma once

#include <hlolint/grammar/x3/scan.hpp>
#include <hlolint/text/record_list.hpp>

#include <boost/spirit/home/x3/support/unused.hpp>
#include <boost/type_traits/is_base_of.hpp>

/// X3's `*p`, `+p` and `p % q` without a value: no detour by way of containers, which costs compile time.
/// Has to be declared before X3's operators.
namespace boost::spirit::x3::detail {
template <class Parser, class Iterator, class Context, class RuleContext>
bool parse_into_container(const Parser& parser, Iterator& first, const Iterator& last, const Context& context,
                          RuleContext& rule, const unused_type&) {
  return parser.parse(first, last, context, rule, unused);
}
}  // namespace boost::spirit::x3::detail

/// What X3 asks of both sides of every operator. Boost computes the answer with five classes per type, from before
/// compilers knew it.
namespace boost {
namespace spirit::x3 {
struct parser_base;
}
template <class T>
struct is_base_of<spirit::x3::parser_base, T> : integral_constant<bool, __is_base_of(spirit::x3::parser_base, T)> {};
}  // namespace boost

#include <boost/spirit/home/x3/core/parser.hpp>
#include <boost/spirit/home/x3/core/skip_over.hpp>
#include <boost/spirit/home/x3/support/context.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hlolint::grammar {

namespace x3 = boost::spirit::x3;

/// Text that is well formed but breaks a rule of names or numbers (SYN002).
struct broken_rule {
  const char* where = nullptr;
  std::string message;
  const char* other = nullptr;  ///< the other place, if there is one
  std::string other_message;
};

/// All that tokens, directives, shapes and attribute values know of a parse: how far reading came, which rules of
/// numbers the values break, and the depth of nesting.
struct parse_state {
  static constexpr std::size_t deepest = 256;  ///< levels of tuples, operands and bodies

  const char* furthest = nullptr;  ///< the furthest place that could not be read; null: none so far
  const char* expected = nullptr;  ///< what was expected there
  std::size_t failed_depth = 0;    ///< levels of nesting there
  std::size_t depth = 0;
  record_list<broken_rule> broken;
  record_list<std::string_view> unknown_words;  ///< read and kept as text, such as a metadata key of a newer compiler
  record_list<std::string_view> embedded_modules;  ///< quoted texts that have to be modules themselves

  [[gnu::noinline, gnu::cold]] void fail(const char* where, const char* what) {
    if (furthest && where <= furthest) return;
    furthest = where;
    expected = what;
    failed_depth = depth;
  }
  /// Forgets the furthest failure, because it was reported or does not matter.
  void forget() { furthest = nullptr; }
  /// Whether it is in a nest as no compiler writes it. Such a nest is lost as a whole: to look at each of its levels
  /// again would cost the square of their number.
  bool failed_deep_down() const { return furthest && failed_depth > 16; }
  [[gnu::noinline, gnu::cold]] void broke(const char* where, std::string message) {
    broken.push_back({where, std::move(message), nullptr, {}});
  }
};

/// What a state is found by in a context: its type, or a `context_tag` of its own, which classes it derives from share.
template <class State>
struct tag_of_state {
  using type = State;
};
template <class State>
requires requires { typename State::context_tag; }
struct tag_of_state<State> {
  using type = typename State::context_tag;
};

/// The state of a type that the context of a parse holds. Which states there are is known when a rule is compiled, so a
/// rule that is used where its state is missing does not compile.
template <class State, class Context>
State& from(const Context& context) {
  using tag = typename tag_of_state<State>::type;
  using found = std::remove_cvref_t<decltype(x3::get<tag>(context))>;
  static_assert(std::is_base_of_v<State, found>, "this rule is parsed without the state that it asks for");
  return x3::get<tag>(context);
}

/// A context that also holds a State; everything in `next` stays reachable. A context refers to `next`: keep it alive.
template <class State, class Next>
x3::context<typename tag_of_state<State>::type, State, Next> with(State& state, const Next& next) {
  return {state, next};
}

/// The part of a context that every language shares: the small state and the skipper, if there is one.
template <class Tag, class State, class Next>
constexpr const auto& shared_context(const x3::context<Tag, State, Next>& context) {
  if constexpr (std::is_same_v<Tag, parse_state>)
    return context;
  else
    return shared_context(context.next);
}

/// Stores what was read; a parser whose value is not wanted is given `x3::unused`.
template <class Value, class To>
constexpr void give(Value&& value, To& to) {
  if constexpr (!std::is_same_v<std::remove_const_t<To>, x3::unused_type>) to = static_cast<Value&&>(value);
}

}  // namespace hlolint::grammar
