// The tokens of HLO text as X3 parsers (hlo_text.md 1). Every one passes over blanks and comments first, so that the
// rules read like the EBNF; views of the text are the attributes. The objects stand in an inline namespace, so that
// variables may be called `word` or `integer` without hiding them.
#pragma once

#include <hlolint/grammar/attribute_syntax.hpp>  // first: g++ takes enumerators for variables that hide the rules of their name
#include <hlolint/grammar/state.hpp>
#include <hlolint/text/name_table.hpp>

#include <boost/spirit/home/x3/operator/alternative.hpp>
#include <boost/spirit/home/x3/operator/and_predicate.hpp>
#include <boost/spirit/home/x3/operator/not_predicate.hpp>
#include <boost/spirit/home/x3/operator/sequence.hpp>
#include <boost/spirit/home/x3/nonterminal/rule.hpp>

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

/// A view is one value, not a container to be filled character by character.
template <>
struct boost::spirit::x3::traits::detail::is_container_impl<std::string_view> : boost::mpl::false_ {};

namespace hlolint::grammar {

template <class Value, class Attribute>
constexpr void assign(Value&& value, Attribute& attribute) {
  if constexpr (!std::is_same_v<std::remove_const_t<Attribute>, x3::unused_type>)
    x3::traits::move_to(static_cast<Value&&>(value), attribute);
}
constexpr std::string_view view(const char* first, const char* last) {
  return {first, static_cast<std::size_t>(last - first)};
}

/// A token found by a scan behind the blanks that its language knows; its attribute is the text.
template <auto Scan, auto Blanks = &scan::blanks>
struct scanned : x3::parser<scanned<Scan, Blanks>> {
  using attribute_type = std::string_view;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    const char* const begin = Blanks(first, last);
    const char* const end = Scan(begin, last);
    if (!end) return false;
    assign(view(begin, end), attribute);
    first = end;
    return true;
  }
};

/// One character or two that stand for themselves. No attribute.
struct punctuation : x3::parser<punctuation> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit punctuation(char c) : one(c) {}
  constexpr punctuation(char c, char d) : one(c), two(d) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    const char* const p = scan::blanks(first, last);
    if (p == last || *p != one) return false;
    if (two && (last - p < 2 || p[1] != two)) return false;
    first = p + (two ? 2 : 1);
    return true;
  }
  char one, two = 0;
};
inline namespace tokens {
constexpr punctuation operator""_p(char c) { return punctuation(c); }
}
inline namespace tokens {
inline constexpr punctuation arrow('-', '>'), at_most('<', '=');
}

/// A whole word, exactly. No attribute.
struct keyword : x3::parser<keyword> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit keyword(std::string_view text) : word(text) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    const char* const p = scan::blanks(first, last);
    if (static_cast<std::size_t>(last - p) < word.size() || !hlolint::detail::same(view(p, p + word.size()), word))
      return false;
    const char* const end = p + word.size();
    if (end != last && scan::is(scan::name_bytes, *end)) return false;
    first = end;
    return true;
  }
  std::string_view word;
};

namespace scan_name {
/// `ident` that is no attribute name (`ident=`).
constexpr const char* bare(const char* p, const char* last) {
  const char* const end = scan::identifier(p, last);
  return end && (end == last || *end != '=') ? end : nullptr;
}
/// `ident=`, without the sign.
constexpr const char* attribute(const char* p, const char* last) {
  const char* const end = scan::identifier(p, last);
  return end && end != last && *end == '=' ? end : nullptr;
}
}  // namespace scan_name

inline namespace tokens {
/// A word: an opcode, an enumerator.
inline constexpr scanned<scan_name::bare> word{};
/// `"..."` or `'...'`, with its quotes and escapes.
inline constexpr scanned<scan::string> string{};
inline constexpr scanned<scan::dictionary> dictionary{};
}

/// `key=`: the attribute is the key.
struct attribute_name_parser : x3::parser<attribute_name_parser> {
  using attribute_type = std::string_view;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    const char* const begin = scan::blanks(first, last);
    const char* const end = scan_name::attribute(begin, last);
    if (!end) return false;
    assign(view(begin, end), attribute);
    first = end + 1;
    return true;
  }
};
inline namespace tokens {
inline constexpr attribute_name_parser attribute_name{};
}

/// Exactly `key=`.
struct attribute_key_parser : x3::parser<attribute_key_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit attribute_key_parser(std::string_view text) : key(text) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute&) const {
    const char* const begin = scan::blanks(first, last);
    const char* const end = scan_name::attribute(begin, last);
    if (!end || !hlolint::detail::same(view(begin, end), key)) return false;
    first = end + 1;
    return true;
  }
  std::string_view key;
};
constexpr attribute_key_parser key(std::string_view text) { return attribute_key_parser(text); }

/// A whole number of 64 bits; 2^63 to 2^64-1 are taken bitwise, as XLA does. A longer one is a failure that says so.
[[gnu::noinline]] inline bool take_integer(const char*& first, const char* last, parse_state& s, std::int64_t& value) {
  const char* const begin = scan::blanks(first, last);
  const bool negative = begin != last && *begin == '-';
  const char* const digits = begin + negative;
  const char* end = digits;
  std::uint64_t bits = 0;
  for (; end != last && scan::is(scan::digit_bytes, *end); ++end) bits = bits * 10 + static_cast<unsigned char>(*end - '0');
  if (end == digits) return false;
  if (end - digits > 18) {
    std::int64_t exact = 0;
    if (std::from_chars(begin, end, exact).ec == std::errc{}) {
      value = exact;
    } else if (negative || std::from_chars(begin, end, bits).ec != std::errc{}) {
      s.fail(begin, last, "an integer of 64 bits");
      return false;
    } else {
      value = static_cast<std::int64_t>(bits);
    }
  } else {
    value = negative ? -static_cast<std::int64_t>(bits) : static_cast<std::int64_t>(bits);
  }
  first = end;
  return true;
}
struct integer_parser : x3::parser<integer_parser> {
  using attribute_type = std::int64_t;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute& attribute) const {
    std::int64_t value = 0;
    if (!take_integer(first, last, state(context), value)) return false;
    assign(value, attribute);
    return true;
  }
};
inline namespace tokens {
inline constexpr integer_parser integer{};
}

/// `true` or `false`.
struct boolean_parser : x3::parser<boolean_parser> {
  using attribute_type = bool;
  static constexpr bool has_attribute = true, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context&, RuleContext&, Attribute& attribute) const {
    const char* const begin = scan::blanks(first, last);
    const char* const end = scan::identifier(begin, last);
    if (!end) return false;
    const std::string_view text = view(begin, end);
    if (text != "true" && text != "false") return false;
    assign(text == "true", attribute);
    first = end;
    return true;
  }
};
inline namespace tokens {
inline constexpr boolean_parser boolean{};
}

/// The text that `p` matched, without the blanks before it.
template <class Subject>
struct text_of_directive : x3::unary_parser<Subject, text_of_directive<Subject>> {
  using base = x3::unary_parser<Subject, text_of_directive<Subject>>;
  using attribute_type = std::string_view;
  static constexpr bool has_attribute = true, handles_container = false;
  constexpr explicit text_of_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute& attribute) const {
    const char* const begin = scan::blanks(first, last);
    const char* p = begin;
    if (!this->subject.parse(p, last, context, rule, x3::unused)) return false;
    assign(view(begin, p), attribute);
    first = p;
    return true;
  }
};
struct text_of_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return text_of_directive<Subject>{subject};
  }
};
inline namespace tokens {
inline constexpr text_of_generator text_of{};
}

/// `{"," p}` in which a comma commits: p must follow it.
template <class Subject>
struct after_commas_directive : x3::unary_parser<Subject, after_commas_directive<Subject>> {
  using base = x3::unary_parser<Subject, after_commas_directive<Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit after_commas_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    while (punctuation(',').parse(first, last, context, rule, x3::unused))
      if (!this->subject.parse(first, last, context, rule, x3::unused)) return false;
    return true;
  }
};
struct after_commas_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return after_commas_directive<Subject>{subject};
  }
};
inline namespace tokens {
inline constexpr after_commas_generator after_commas{};
}

}  // namespace hlolint::grammar
