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

#include <type_traits>

namespace hlolint::grammar {

/// The value that a parser makes, the same in every context. With a parser in it that acts on its own, X3's operators
/// make none.
template <class P>
struct value_of_operator : x3::traits::attribute_of<P, x3::unused_type> {};
template <class P>
requires(P::has_action && !requires { typename P::attribute_type; }) struct value_of_operator<P> {
  using type = x3::unused_type;
};
template <class P>
using value_of_parser = typename value_of_operator<P>::type;
template <class T>
inline constexpr bool is_unused = std::is_same_v<std::remove_const_t<T>, x3::unused_type>;
template <class P>
inline constexpr bool has_value = !is_unused<value_of_parser<P>>;

/// The base of this library's parsers: X3's protocol without X3's base class for each parser, which would be half of
/// their compile time.
struct parser_part : x3::parser_base {
  static constexpr bool handles_container = false, is_pass_through_unary = false, has_action = false;
};
/// The parser that stands for a parser, a character or a text.
template <class P>
using part_type = typename x3::extension::as_parser<P>::value_type;

/// rule<V>("name") = p: p fills a V, member by member (`into`, `append`) or as a whole. It is X3's rule, made and
/// defined in one expression, so that X3 does not add it to the context of a parse. A part without a value needs no
/// rule; a recursive rule is an x3::rule with BOOST_SPIRIT_DEFINE.
template <class Value>
constexpr x3::rule<struct rule_id, Value> rule(const char* name) {
  return {name};
}

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
/// arguments (`does`). The derived class adds `parse`.
template <class P, class Do, class Value = x3::unused_type>
struct directed : parser_part, valued<Value> {
  using subject_type = P;
  static constexpr bool is_pass_through_unary = std::is_same_v<Value, same>;
  static constexpr bool handles_container = is_pass_through_unary && P::handles_container;
  static constexpr bool has_action = is_unused<Value> || (is_pass_through_unary && P::has_action);
  P subject;
  Do does;
};
/// d[p]. The class of the parser is a member of the class of the directive: one function less per use than if the
/// directive were given its parser.
template <class Do>
struct directive {
  template <class P>
  constexpr typename Do::template parser<part_type<P>> operator[](const P& p) const {
    return {{{}, {}, x3::as_parser(p), does}};
  }
  Do does;
};

}  // namespace hlolint::grammar
