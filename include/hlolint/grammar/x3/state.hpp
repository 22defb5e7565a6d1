// The state that travels with a parse and that every rule sees, and the way to the state of a language.
#pragma once

#include <hlolint/grammar/x3/scan.hpp>

#include <boost/spirit/home/x3/core/parser.hpp>
#include <boost/spirit/home/x3/core/skip_over.hpp>
#include <boost/spirit/home/x3/support/context.hpp>
#include <boost/spirit/home/x3/support/unused.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hlolint::grammar {

namespace x3 = boost::spirit::x3;

/// Text that is well formed but breaks a rule of names or numbers (SYN002).
struct broken_rule {
  const char* where = nullptr;
  std::string message;
  const char* other = nullptr;  ///< another place that the rule is about; may be null
  std::string other_message;
};

/// All that tokens, directives, shapes and attribute values know of a parse: the furthest failure, the rules of numbers
/// that values break, and the depth of nesting.
struct parse_state {
  static constexpr std::size_t deepest = 256;  ///< levels of tuples, operands and bodies

  const char* furthest = nullptr;  ///< the furthest place that could not be read; null: none so far
  const char* expected = nullptr;  ///< what was expected there
  std::size_t failed_depth = 0;    ///< levels of nesting there
  std::size_t depth = 0;
  std::vector<broken_rule> broken;
  std::vector<std::string_view> unknown_words;  ///< read and kept as text, such as a metadata key of a newer compiler
  std::vector<std::string_view> embedded_modules;  ///< quoted texts that have to be modules themselves

  [[gnu::noinline, gnu::cold]] void fail(const char* where, const char* what) {
    if (furthest && where <= furthest) return;
    furthest = where;
    expected = what;
    failed_depth = depth;
  }
  /// Forgets the furthest failure: it was reported, or it does not matter.
  void forget() { furthest = nullptr; }
  /// Whether the furthest failure is nested deeper than compilers write. Such a nest is lost as a whole: to look at
  /// each of its levels again would take time quadratic in their number.
  bool failed_deep_down() const { return furthest && failed_depth > 16; }
  [[gnu::noinline, gnu::cold]] void broke(const char* where, std::string message) {
    broken.push_back({where, std::move(message), nullptr, {}});
  }
};

/// The tag by which a context holds a state: the type of the state, or its member `context_tag`, which the parts of a
/// state share with the whole.
template <class State>
struct tag_of_state {
  using type = State;
};
template <class State>
requires requires { typename State::context_tag; }
struct tag_of_state<State> {
  using type = typename State::context_tag;
};

/// The state of this type in the context of a parse, or the part of this type of a state there. A rule that is used
/// where its state is missing does not compile.
template <class State, class Context>
State& from(const Context& context) {
  using tag = typename tag_of_state<State>::type;
  using found = std::remove_cvref_t<decltype(x3::get<tag>(context))>;
  if constexpr (std::is_same_v<State, found>) {
    return x3::get<tag>(context);
  } else {
    static_assert(
        requires(found & whole) { whole.template part<State>(); },
        "this rule is parsed without the state that it asks for");
    return x3::get<tag>(context).template part<State>();
  }
}

/// A context that also holds a State; what `next` holds stays reachable. The context refers to `next`: keep it alive.
template <class State, class Next>
x3::context<typename tag_of_state<State>::type, State, Next> with(State& state, const Next& next) {
  return {state, next};
}

/// The part of a context that all languages share: the parse state and the skipper, if there is one.
template <class Tag, class State, class Next>
constexpr const auto& shared_context(const x3::context<Tag, State, Next>& context) {
  if constexpr (std::is_same_v<Tag, parse_state>)
    return context;
  else
    return shared_context(context.next);
}

/// Stores a value that was read, unless `to` is `x3::unused` because it is not wanted.
template <class Value, class To>
constexpr void give(Value&& value, To& to) {
  if constexpr (!std::is_same_v<std::remove_const_t<To>, x3::unused_type>) to = std::forward<Value>(value);
}

}  // namespace hlolint::grammar
