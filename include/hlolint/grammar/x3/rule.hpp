// Rules, the operators between parsers, and the base of all directives.
#pragma once

#include <hlolint/grammar/x3/state.hpp>

#include <boost/spirit/home/x3/auxiliary/attr.hpp>
#include <boost/spirit/home/x3/auxiliary/eoi.hpp>
#include <boost/spirit/home/x3/auxiliary/eps.hpp>
#include <boost/spirit/home/x3/char/char.hpp>
#include <boost/spirit/home/x3/directive/lexeme.hpp>
#include <boost/spirit/home/x3/directive/matches.hpp>
#include <boost/spirit/home/x3/directive/omit.hpp>
#include <boost/spirit/home/x3/nonterminal/rule.hpp>
#include <boost/spirit/home/x3/operator.hpp>
#include <boost/spirit/home/x3/string/literal_string.hpp>

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

/// A view is one value, not a container to be filled character by character.
template <>
struct boost::spirit::x3::traits::detail::is_container_impl<std::string_view> : boost::mpl::false_ {};

namespace hlolint::grammar {

/// The type of the value that a parser makes; it is the same in every context.
template <class P>
using value_of_parser = typename x3::traits::attribute_of<P, x3::unused_type>::type;
template <class T>
inline constexpr bool is_unused = std::is_same_v<std::remove_const_t<T>, x3::unused_type>;
template <class P>
inline constexpr bool has_value = !is_unused<value_of_parser<P>>;

/// The base of this library's parsers: X3's protocol without X3's base class for each parser, which would be half of
/// their compile time. A parser that `sees_rule` looks at the value of the rule around it; all others are given no such
/// value, so that they are compiled once and not once per rule.
struct parser_part : x3::parser_base {
  static constexpr bool handles_container = false, is_pass_through_unary = false, has_action = false;
  static constexpr bool sees_rule = false;
};
template <class P>
consteval bool find_sees_rule() {
  if constexpr (requires { P::sees_rule; })
    return P::sees_rule;
  else if constexpr (requires { typename P::subject_type; })
    return find_sees_rule<typename P::subject_type>();
  else if constexpr (requires { typename P::left_type; })
    return find_sees_rule<typename P::left_type>() || find_sees_rule<typename P::right_type>();
  else
    return false;
}
template <class P>
inline constexpr bool sees_rule = find_sees_rule<P>();
/// `value`, or `unused` where it is not wanted.
template <bool Wanted, class Value>
[[gnu::always_inline]] constexpr auto& if_wanted(Value& value) {
  if constexpr (Wanted)
    return value;
  else
    return x3::unused;
}

template <class T>
concept is_parser = __is_base_of(x3::parser_base, T);
template <class T>
concept is_literal = std::is_same_v<T, char> || std::is_array_v<T>;
/// Operands of `a >> b` and `a | b`: parsers, characters, texts.
template <class L, class R>
concept is_joined = (is_parser<L> && (is_parser<R> || is_literal<R>)) || (is_literal<L> && is_parser<R>);
template <class T>
T part_of(const T&);
decltype(x3::lit('c')) part_of(char);
template <std::size_t N>
decltype(x3::lit("")) part_of(const char (&)[N]);
template <class T>
using part_type = decltype(part_of(std::declval<const T&>()));

/// A parser and its place in a list. It serves as a base class, because std::tuple would cost seconds of compile time.
template <std::size_t Number, class P>
struct numbered {
  using type = P;
  static constexpr std::size_t number = Number;
  P part;
};
inline constexpr std::size_t no_place = static_cast<std::size_t>(-1);
/// The place of the only part of a sequence that has a value; `no_place` if none or several have one.
template <class... Parts>
consteval std::size_t place_of_value() {
  std::size_t place = no_place;
  ((has_value<typename Parts::type> ? void(place = place == no_place ? Parts::number : no_place) : void()), ...);
  return place;
}

/// The place of the first alternative that has a value.
template <class... Parts>
consteval std::size_t first_with_value() {
  std::size_t place = no_place;
  ((has_value<typename Parts::type> && place == no_place ? void(place = Parts::number) : void()), ...);
  return place;
}
/// The type of the value of the part at a place.
template <std::size_t Place, class P>
x3::traits::attribute_of<P, x3::unused_type> value_at(const numbered<Place, P>*);
template <std::size_t Place>
boost::mpl::identity<x3::unused_type> value_at(...);

/// a >> b >> c. X3's own sequence serves any number of attributes; in this one at most one part has a value, and one
/// function parses all parts.
template <class... Parts>
struct all_of : parser_part, Parts... {
  static constexpr bool has_action = (Parts::type::has_action || ...);
  static constexpr bool sees_rule = (grammar::sees_rule<typename Parts::type> || ...);

  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    const char* const save = first;
    // Three branches: to ask each part for its value where none is wanted costs g++ 3 % of its memory.
    if constexpr (is_unused<Rule> && is_unused<To>) {
      if ((this->Parts::part.parse(first, last, context, x3::unused, x3::unused) && ...)) return true;
    } else if constexpr (is_unused<To>) {
      if ((this->Parts::part.parse(first, last, context, if_wanted<grammar::sees_rule<typename Parts::type>>(rule),
                                   x3::unused) &&
           ...))
        return true;
    } else {
      constexpr std::size_t place = place_of_value<Parts...>();
      if ((this->Parts::part.parse(first, last, context, if_wanted<grammar::sees_rule<typename Parts::type>>(rule),
                                   if_wanted<Parts::number == place>(to)) &&
           ...))
        return true;
    }
    first = save;
    return false;
  }
};

/// a | b | c, whose values are of one type.
template <class... Parts>
struct any_of : parser_part, Parts... {
  static constexpr bool has_action = (Parts::type::has_action || ...);
  static constexpr bool sees_rule = (grammar::sees_rule<typename Parts::type> || ...);

  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    if constexpr (is_unused<Rule> && is_unused<To>)
      return (this->Parts::part.parse(first, last, context, x3::unused, x3::unused) || ...);
    else if constexpr (is_unused<To>)
      return (this->Parts::part.parse(first, last, context, if_wanted<grammar::sees_rule<typename Parts::type>>(rule),
                                      x3::unused) ||
              ...);
    else
      return (this->Parts::part.parse(first, last, context, if_wanted<grammar::sees_rule<typename Parts::type>>(rule),
                                      if_wanted<has_value<typename Parts::type>>(to)) ||
              ...);
  }
};

/// -p. X3's own makes an optional value; this one leaves the value as it is where p does not match.
template <class P>
struct maybe : parser_part {
  using subject_type = P;
  static constexpr bool is_pass_through_unary = true, has_action = P::has_action;
  static constexpr bool sees_rule = grammar::sees_rule<P>;
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    subject.parse(first, last, context, rule, to);
    return true;
  }
  P subject;
};
template <class P>
requires is_parser<P>
constexpr maybe<P> operator-(const P& p) { return {{}, p}; }

template <template <class...> class List, class L, class R>
using pair_of = List<numbered<0, part_type<L>>, numbered<1, part_type<R>>>;
template <class L, class R>
requires is_joined<L, R>
constexpr pair_of<all_of, L, R> operator>>(const L& left, const R& right) {
  return {{}, {part_type<L>(left)}, {part_type<R>(right)}};
}
template <class... Parts, class R>
requires is_joined<all_of<Parts...>, R>
constexpr all_of<Parts..., numbered<sizeof...(Parts), part_type<R>>> operator>>(const all_of<Parts...>& left,
                                                                                const R& right) {
  return {{}, static_cast<const Parts&>(left)..., {part_type<R>(right)}};
}
template <class L, class R>
requires is_joined<L, R>
constexpr pair_of<any_of, L, R> operator|(const L& left, const R& right) {
  return {{}, {part_type<L>(left)}, {part_type<R>(right)}};
}
template <class... Parts, class R>
requires is_joined<any_of<Parts...>, R>
constexpr any_of<Parts..., numbered<sizeof...(Parts), part_type<R>>> operator|(const any_of<Parts...>& left,
                                                                               const R& right) {
  return {{}, static_cast<const Parts&>(left)..., {part_type<R>(right)}};
}

/// The parser of a rule: its function makes it where the rule is first parsed.
template <class Function>
inline constexpr auto definition_of = Function{}(0);

template <class Value>
struct rule_base : parser_part {
  using attribute_type = Value;
  static constexpr bool has_attribute = !is_unused<Value>;
  static constexpr bool handles_container = x3::traits::is_container<Value>::value;
  static constexpr bool has_action = !has_attribute;
};
template <class Value, class Function>
struct rule_parser : rule_base<Value> {
  static constexpr bool has_attribute = !is_unused<Value>;
  static constexpr bool sees_rule =
      !has_attribute && grammar::sees_rule<std::remove_cvref_t<decltype(definition_of<Function>)>>;

  /// Out of line, because a call costs less than copies of a long rule.
  template <class Context, class Rule, class To>
  [[gnu::noinline]] bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule,
                               To& to) const {
    using parser = std::remove_cvref_t<decltype(definition_of<Function>)>;
    using unused = const x3::unused_type;  // with and without `const` a rule would be compiled twice
    if constexpr (!std::is_same_v<Rule, unused> && (!sees_rule || is_unused<Rule>)) {
      return parse(first, last, context, x3::unused, to);
    } else if constexpr (!std::is_same_v<To, unused> && (!has_attribute || is_unused<To>)) {
      return parse(first, last, context, rule, x3::unused);
    } else if constexpr (is_unused<To>) {
      return definition_of<Function>.parse(first, last, context, rule, x3::unused);
    } else if constexpr (std::is_same_v<To, Value>) {
      constexpr bool as_a_whole = !parser::has_action && has_value<parser>;
      return definition_of<Function>.parse(first, last, context, if_wanted<grammar::sees_rule<parser>>(to),
                                           if_wanted<as_a_whole>(to));
    } else {
      Value value{};
      if (!parse(first, last, context, x3::unused, value)) return false;
      give(static_cast<Value&&>(value), to);
      return true;
    }
  }
};
/// `rule<V> = [](auto) { return p; }`: p fills a V, member by member (`into`, `append`) or as a whole. Where the value
/// is not wanted (and no `checked` looks at it), the text is read and no value is made. The function is a template, so
/// that p is compiled where something is parsed and not where the header is read, and the type of p stays out of the
/// types of other rules. A rule without a value lets p see the value of the rule around it. A recursive rule is an
/// x3::rule with BOOST_SPIRIT_DEFINE.
template <class Value>
struct rule_of {
  template <class Function>
  constexpr rule_parser<Value, Function> operator=(Function) const {
    return {};
  }
};
template <class Value = x3::unused_type>
inline constexpr rule_of<Value> rule{};

/// The value of a directive has the type Value; `same`: the type of its parser's value.
struct same {};
template <class Value>
struct valued {
  using attribute_type = Value;
  static constexpr bool has_attribute = !is_unused<Value>;
};
template <>
struct valued<same> {};

/// The base of the parser of a directive: holds the parser in its brackets (`subject`) and the directive with its
/// arguments (`does`). The derived class adds `parse`, and `sees_rule = true` if it looks at the value of the rule.
template <class P, class Do, class Value = x3::unused_type>
struct directed : parser_part, valued<Value> {
  using subject_type = P;
  static constexpr bool is_pass_through_unary = std::is_same_v<Value, same>;
  static constexpr bool handles_container = is_pass_through_unary && P::handles_container;
  static constexpr bool has_action = is_unused<Value> || (is_pass_through_unary && P::has_action);
  static constexpr bool sees_rule = grammar::sees_rule<P>;
  /// Parses with the subject and passes it the value of the rule if it looks at that.
  template <class Context, class Rule, class To>
  [[gnu::always_inline]] bool read(const char*& first, const char* const& last, const Context& context, Rule& rule,
                                   To& to) const {
    return subject.parse(first, last, context, if_wanted<grammar::sees_rule<P>>(rule), to);
  }
  P subject;
  Do does;
};
/// d[p]. The class of the parser is a member of the class of the directive: one function less per use than if the
/// directive were given its parser.
template <class Do>
struct directive {
  template <class P>
  constexpr typename Do::template parser<part_type<P>> operator[](const P& p) const {
    return {{{}, {}, part_type<P>(p), does}};
  }
  Do does;
};

}  // namespace hlolint::grammar

/// The value of a sequence is that of its only part with a value; the value of alternatives is that of the first one
/// with a value.
namespace boost::spirit::x3::traits {
template <class... Parts, class Context>
struct attribute_of<hlolint::grammar::all_of<Parts...>, Context>
    : decltype(hlolint::grammar::value_at<hlolint::grammar::place_of_value<Parts...>()>(
          static_cast<const hlolint::grammar::all_of<Parts...>*>(nullptr))) {};
template <class... Parts, class Context>
struct attribute_of<hlolint::grammar::any_of<Parts...>, Context>
    : decltype(hlolint::grammar::value_at<hlolint::grammar::first_with_value<Parts...>()>(
          static_cast<const hlolint::grammar::any_of<Parts...>*>(nullptr))) {};
}  // namespace boost::spirit::x3::traits
