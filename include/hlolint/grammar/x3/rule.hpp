// What rules are made of, and the one class that all directives are made by.
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

#include <string_view>
#include <type_traits>
#include <utility>

/// A view is one value, not a container to be filled character by character.
template <>
struct boost::spirit::x3::traits::detail::is_container_impl<std::string_view> : boost::mpl::false_ {};

namespace hlolint::grammar {

template <class P>
using parser_of = typename x3::extension::as_parser<P>::value_type;
template <class P, class Context>
using value_of_parser = typename x3::traits::attribute_of<P, Context>::type;
template <class T>
inline constexpr bool is_unused = std::is_same_v<std::remove_const_t<T>, x3::unused_type>;

/// What the parsers of this library are: X3's protocol without its class per parser, which would be half of what they
/// cost to compile.
struct parser_part : x3::parser_base {
  static constexpr bool handles_container = false, is_pass_through_unary = false, has_action = false;
};
template <class T>
concept is_parser = __is_base_of(x3::parser_base, T);
template <class T>
concept is_literal = std::is_same_v<T, char> || std::is_array_v<T>;
/// Operands of `a >> b` and `a | b`: parsers, characters, texts.
template <class L, class R>
concept is_joined = (is_parser<L> && (is_parser<R> || is_literal<R>)) || (is_literal<L> && is_parser<R>);
template <class P>
requires is_parser<P>
constexpr const P& part_of(const P& p) { return p; }
constexpr auto part_of(char c) { return x3::lit(c); }
constexpr auto part_of(const char* s) { return x3::lit(s); }
template <class T>
using part_type = std::remove_cvref_t<decltype(part_of(std::declval<const T&>()))>;

template <class L, class R>
struct both_of;
template <class P>
inline constexpr bool is_both = false;
template <class L, class R>
inline constexpr bool is_both<both_of<L, R>> = true;

/// a >> b. X3's own sequence does the same for attributes of any number; here one part has a value, or none, and it is
/// compiled in half of the time.
template <class L, class R>
struct both_of : parser_part {
  using left_type = L;
  using right_type = R;
  static constexpr bool has_action = L::has_action || R::has_action;
  L left;
  R right;
  constexpr both_of(const L& l, const R& r) : left(l), right(r) {}

  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    const char* const save = first;
    if constexpr (is_unused<To>) {
      if constexpr (is_both<L>) {
        if constexpr (is_both<typename L::left_type>) {
          if (left.left.left.parse(first, last, context, rule, x3::unused) &&
              left.left.right.parse(first, last, context, rule, x3::unused) &&
              left.right.parse(first, last, context, rule, x3::unused) &&
              right.parse(first, last, context, rule, x3::unused))
            return true;
        } else if (left.left.parse(first, last, context, rule, x3::unused) &&
                   left.right.parse(first, last, context, rule, x3::unused) &&
                   right.parse(first, last, context, rule, x3::unused)) {
          return true;
        }
      } else if (left.parse(first, last, context, rule, x3::unused) &&
                 right.parse(first, last, context, rule, x3::unused)) {
        return true;
      }
    } else if constexpr (!x3::traits::has_attribute<both_of, Context>::value) {
      return parse(first, last, context, rule, x3::unused);
    } else if constexpr (x3::traits::has_attribute<L, Context>::value) {
      if (left.parse(first, last, context, rule, to) && right.parse(first, last, context, rule, x3::unused))
        return true;
    } else {
      if (left.parse(first, last, context, rule, x3::unused) && right.parse(first, last, context, rule, to))
        return true;
    }
    first = save;
    return false;
  }
};

/// a | b, whose values are of one type.
template <class L, class R>
struct either_of : parser_part {
  static constexpr bool has_action = L::has_action || R::has_action;
  L left;
  R right;
  constexpr either_of(const L& l, const R& r) : left(l), right(r) {}

  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    if constexpr (is_unused<To>) {
      return left.parse(first, last, context, rule, x3::unused) || right.parse(first, last, context, rule, x3::unused);
    } else {
      return parse_one(left, first, last, context, rule, to) || parse_one(right, first, last, context, rule, to);
    }
  }

 private:
  template <class P, class Context, class Rule, class To>
  static bool parse_one(const P& p, const char*& first, const char* const& last, const Context& context, Rule& rule,
                        To& to) {
    if constexpr (x3::traits::has_attribute<P, Context>::value)
      return p.parse(first, last, context, rule, to);
    else
      return p.parse(first, last, context, rule, x3::unused);
  }
};

template <class L, class R>
requires is_joined<L, R>
constexpr both_of<part_type<L>, part_type<R>> operator>>(const L& left, const R& right) {
  return {part_of(left), part_of(right)};
}
template <class L, class R>
requires is_joined<L, R>
constexpr either_of<part_type<L>, part_type<R>> operator|(const L& left, const R& right) {
  return {part_of(left), part_of(right)};
}

/// What a rule matches: an expression, or a function without state that returns one. The type of an expression spells
/// out all of its parts; a function hides it, which compiles fast.
template <class F>
struct outlined {
  static constexpr auto definition = x3::as_parser(F{}());
  static constexpr bool has_action = std::remove_cvref_t<decltype(definition)>::has_action;
  /// Compiled once, out of line: a call costs less than the copies of a long rule.
  template <class Context, class Rule, class To>
  [[gnu::noinline]] static bool take(const char*& first, const char* const& last, const Context& context, Rule& rule,
                                     To& to) {
    return definition.parse(first, last, context, rule, to);
  }
};
template <class P>
struct inlined {
  P definition;
  static constexpr bool has_action = P::has_action;
  template <class Context, class Rule, class To>
  bool take(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    return definition.parse(first, last, context, rule, to);
  }
};

template <class Value, class Definition>
struct rule_parser : parser_part, Definition {
  using attribute_type = Value;
  static constexpr bool has_attribute = !std::is_same_v<Value, x3::unused_type>;
  static constexpr bool handles_container = x3::traits::is_container<Value>::value;
  static constexpr bool has_action = !has_attribute;
  constexpr explicit rule_parser(const Definition& d) : Definition(d) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    if constexpr (!has_attribute && is_unused<Rule>) {
      return this->take(first, last, context, x3::unused,
                        x3::unused);  // one type of unused, or a rule is compiled twice
    } else if constexpr (!has_attribute) {
      return this->take(first, last, context, rule, x3::unused);
    } else if constexpr (is_unused<To>) {
      return this->take(first, last, context, x3::unused, x3::unused);
    } else if constexpr (std::is_same_v<To, Value>) {
      return fill(first, last, context, to);
    } else {
      Value value{};
      if (!fill(first, last, context, value)) return false;
      give(static_cast<Value&&>(value), to);
      return true;
    }
  }

 private:
  template <class Context>
  bool fill(const char*& first, const char* const& last, const Context& context, Value& value) const {
    if constexpr (Definition::has_action)
      return this->take(first, last, context, value, x3::unused);
    else
      return this->take(first, last, context, value, value);
  }
};

/// `rule<V> = [] { return p; }`: p fills a V, member by member (`into`, `append`) or as a whole. Where the value is not
/// wanted (and no `checked` looks at it), none is made: the text is read, and nothing is stored. `rule<V> = p` is the
/// same for a p of few parts. A rule without a value lets p see the value of the rule around it. Recursion takes an
/// x3::rule and BOOST_SPIRIT_DEFINE.
template <class Value>
struct rule_of {
  template <class P>
  constexpr auto operator=(const P& p) const {
    if constexpr (std::is_invocable_v<P>)
      return rule_parser<Value, outlined<P>>(outlined<P>{});
    else
      return rule_parser<Value, inlined<parser_of<P>>>({x3::as_parser(p)});
  }
};
template <class Value = x3::unused_type>
inline constexpr rule_of<Value> rule{};

/// The value of a directive is Value, or that of its parser.
struct same {};
template <class Value>
struct valued {
  using attribute_type = Value;
  static constexpr bool has_attribute = !is_unused<Value>;
};
template <>
struct valued<same> {};

template <class P, class Do, class Value>
struct directed : parser_part, valued<Value> {
  using subject_type = P;
  static constexpr bool is_pass_through_unary = std::is_same_v<Value, same>;
  static constexpr bool handles_container = is_pass_through_unary && P::handles_container;
  static constexpr bool has_action = is_unused<Value> || (is_pass_through_unary && P::has_action);
  constexpr directed(const P& p, const Do& d) : subject(p), does(d) {}
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule& rule, To& to) const {
    return does(subject, first, last, context, rule, to);
  }
  P subject;
  Do does;
};
template <class Do, class Value = x3::unused_type>
struct directive {
  template <class P>
  constexpr directed<part_type<P>, Do, Value> operator[](const P& p) const {
    return {part_of(p), does};
  }
  Do does;
};

}  // namespace hlolint::grammar

/// The value of two parts is that of the one that has a value; of two with values it is none. Of two ways it is that of
/// the first.
namespace boost::spirit::x3::traits {
template <class L, class R, class Context>
struct attribute_of<hlolint::grammar::both_of<L, R>, Context>
    : std::conditional_t<
          !has_attribute<L, Context>::value, attribute_of<R, Context>,
          std::conditional_t<!has_attribute<R, Context>::value, attribute_of<L, Context>, mpl::identity<unused_type>>> {
};
template <class L, class R, class Context>
struct attribute_of<hlolint::grammar::either_of<L, R>, Context>
    : std::conditional_t<has_attribute<L, Context>::value, attribute_of<L, Context>, attribute_of<R, Context>> {};
}  // namespace boost::spirit::x3::traits
