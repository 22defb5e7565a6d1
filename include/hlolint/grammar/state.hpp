// What travels with a parse: the furthest failure, broken name and number rules, and the depth of nesting.
#pragma once

#include <hlolint/grammar/scan.hpp>

#include <boost/spirit/home/x3/core/parser.hpp>
#include <boost/spirit/home/x3/support/context.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint::grammar {

namespace x3 = boost::spirit::x3;

/// Text that is well formed but breaks a rule of names or numbers (SYN002).
struct broken_rule {
  const char* where = nullptr;
  std::string message;
  const char* other = nullptr;  ///< the other place, if there is one
  std::string other_message;
};

/// The furthest place that could not be read, and what was expected there.
struct furthest_failure {
  const char* where = nullptr;
  const char* expected = nullptr;
};

/// Shared by all grammars, so that each rule is instantiated for one context only.
struct parse_state {
  furthest_failure failure;
  std::vector<broken_rule> broken;
  std::vector<std::string_view> unknown_words;  ///< kept as text, such as metadata keys of the future
  std::vector<std::string_view> embedded_modules;  ///< quoted texts that have to be modules themselves
  std::size_t depth = 0;
  std::array<std::uint8_t, 14> next_field{};  ///< of metadata: which one stood last behind each, and at the start (13)

  static constexpr std::size_t deepest = 256;  ///< nesting of tuples, operands and bodies

  [[gnu::noinline, gnu::cold]] void fail(const char* where, const char* last, const char* expected) {
    where = scan::blanks(where, last);
    if (!failure.where || where > failure.where) failure = {where, expected};
  }
  [[gnu::noinline, gnu::cold]] void broke(const char* where, std::string message) { broken.push_back({where, std::move(message), nullptr, {}}); }
};

struct state_tag;

template <class Context>
parse_state& state(const Context& context) {
  return x3::get<state_tag>(context);
}

/// `must("a shape")[p]`: if p fails, that a shape was expected here is noted. No exceptions: a failure stays a failure.
template <class Subject>
struct must_directive : x3::unary_parser<Subject, must_directive<Subject>> {
  using base = x3::unary_parser<Subject, must_directive<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr must_directive(const Subject& inner, const char* what) : base(inner), expected(what) {}

  template <class Iterator, class Context, class RuleContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext& rule, Attribute& attribute) const {
    if (this->subject.parse(first, last, context, rule, attribute)) return true;
    state(context).fail(first, last, expected);
    return false;
  }
  const char* expected;
};
struct must {
  constexpr explicit must(const char* what) : expected(what) {}
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return must_directive<Subject>{subject, expected};
  }
  const char* expected;
};

/// `nested[p]`: p one level deeper; too deep is a failure with a message, never a stack overflow.
template <class Subject>
struct nested_directive : x3::unary_parser<Subject, nested_directive<Subject>> {
  using base = x3::unary_parser<Subject, nested_directive<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr explicit nested_directive(const Subject& inner) : base(inner) {}

  template <class Iterator, class Context, class RuleContext, class Attribute>
  bool parse(Iterator& first, const Iterator& last, const Context& context, RuleContext& rule, Attribute& attribute) const {
    parse_state& s = state(context);
    if (s.depth >= parse_state::deepest) {
      s.fail(first, last, "less nesting (the limit is 256 levels)");
      return false;
    }
    ++s.depth;
    const bool matched = this->subject.parse(first, last, context, rule, attribute);
    --s.depth;
    return matched;
  }
};
struct nested_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return nested_directive<Subject>{subject};
  }
};
inline constexpr nested_generator nested{};

/// The one context of all grammars: each rule is compiled for it alone.
using parse_context = x3::context<state_tag, parse_state>;

/// Parses [first, last) with `grammar` from the start; advances `first`. The only way into X3.
template <class Grammar, class Attribute = const x3::unused_type>
bool parse_with(const Grammar& grammar, const char*& first, const char* last, parse_state& with,
                Attribute& attribute = x3::unused) {
  const parse_context context{with};
  return grammar.parse(first, last, context, x3::unused, attribute);
}

/// The value that a rule makes of a whole text; nothing if the text is not well formed or breaks a rule of numbers.
template <class Value, class Rule>
std::optional<Value> value_of(const Rule& rule, std::string_view text) {
  parse_state with;
  std::optional<Value> out(std::in_place);
  const char* first = text.data();
  const char* const last = first + text.size();
  if (!parse_with(rule, first, last, with, *out) || scan::blanks(first, last) != last || !with.broken.empty()) out.reset();
  return out;
}

}  // namespace hlolint::grammar
