// X3 directives for rules that fill the members of one value: repetition and lists without attributes, members as
// targets, checks of what has been read. Without attributes to collect they compile in a fraction of X3's time. They say
// `has_action`, so that X3 passes no attribute down: a rule's value is its RuleContext.
#pragma once

#include <hlolint/grammar/terminals.hpp>

#include <type_traits>

namespace hlolint::grammar {

/// `maybe[p]`, `many[p]`, `in_braces(expected)[p]`: X3's -p, *p and `'{' >> -(p % ',') >> must(expected)['}']` for
/// parsers whose values are stored elsewhere (`into`, `append`).
template <class Subject>
struct maybe_directive : x3::unary_parser<Subject, maybe_directive<Subject>> {
  using base = x3::unary_parser<Subject, maybe_directive<Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr maybe_directive(const Subject& inner, bool any_number) : base(inner), repeated(any_number) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    while (this->subject.parse(first, last, context, rule, x3::unused) && repeated) {
    }
    return true;
  }
  bool repeated;
};
struct maybe_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return maybe_directive<Subject>{subject, repeated};
  }
  bool repeated;
};
inline constexpr maybe_generator maybe{false}, many{true};

template <class Subject>
struct enclosed_directive : x3::unary_parser<Subject, enclosed_directive<Subject>> {
  using base = x3::unary_parser<Subject, enclosed_directive<Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr enclosed_directive(const Subject& inner, char from, char to, const char* what, bool last_comma)
      : base(inner), open(from), close(to), comma_before_close(last_comma), expected(what) {}
  template <class Context, class RuleContext, class Attribute>
  [[gnu::noinline, gnu::cold]] bool parse(const char*& first, const char* const& last, const Context& context,
                                          RuleContext& rule, Attribute&) const {
    const char* p = scan::blanks(first, last);
    if (p == last || *p != open) return false;
    ++p;
    for (bool comma = false;;) {
      if (!this->subject.parse(p, last, context, rule, x3::unused)) {
        if (!comma || comma_before_close) break;
        state(context).fail(p, last, expected);
        return false;
      }
      p = scan::blanks(p, last);
      comma = p != last && *p == ',';
      if (!comma) break;
      ++p;
    }
    p = scan::blanks(p, last);
    if (p == last || *p != close) {
      state(context).fail(p, last, expected);
      return false;
    }
    first = p + 1;
    return true;
  }
  char open, close;
  bool comma_before_close;
  const char* expected;
};
struct enclosed_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return enclosed_directive<Subject>{subject, open, close, expected, comma_before_close};
  }
  char open, close;
  const char* expected;
  bool comma_before_close;
};
/// `last_comma`: whether a comma may stand before the closing brace.
constexpr enclosed_generator in_braces(const char* expected, bool last_comma = false) {
  return {'{', '}', expected, last_comma};
}
constexpr enclosed_generator in_brackets(const char* expected) { return {'[', ']', expected, false}; }
constexpr enclosed_generator in_parentheses(const char* expected, bool last_comma = false) {
  return {'(', ')', expected, last_comma};
}

/// `comma_separated[p]`: X3's p % ',': a comma that no p follows is left alone.
template <class Subject>
struct comma_separated_directive : x3::unary_parser<Subject, comma_separated_directive<Subject>> {
  using base = x3::unary_parser<Subject, comma_separated_directive<Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit comma_separated_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    const char* p = first;
    if (!this->subject.parse(p, last, context, rule, x3::unused)) return false;
    do {
      first = p;
      p = scan::blanks(p, last);
    } while (p != last && *p++ == ',' && this->subject.parse(p, last, context, rule, x3::unused));
    return true;
  }
};
struct comma_separated_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return comma_separated_directive<Subject>{subject};
  }
};
inline constexpr comma_separated_generator comma_separated{};

/// `verified<check>[p]`: once p has matched, `check(state, start of p, value of the rule)` notes the broken rules of
/// numbers and names.
template <auto Check, class Subject>
struct verified_directive : x3::unary_parser<Subject, verified_directive<Check, Subject>> {
  using base = x3::unary_parser<Subject, verified_directive<Check, Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr explicit verified_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  [[gnu::noinline, gnu::cold]] bool parse(const char*& first, const char* const& last, const Context& context,
                                          RuleContext& rule, Attribute& attribute) const {
    const char* const begin = scan::blanks(first, last);
    if (!this->subject.parse(first, last, context, rule, attribute)) return false;
    Check(state(context), begin, rule);
    return true;
  }
};
template <auto Check>
struct verified_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return verified_directive<Check, Subject>{subject};
  }
};
template <auto Check>
inline constexpr verified_generator<Check> verified{};

/// `when<ahead>[p]`: p, if `ahead(begin, last)` says so of the text behind the blanks; else nothing is taken.
template <auto Ahead, class Subject>
struct when_directive : x3::unary_parser<Subject, when_directive<Ahead, Subject>> {
  using base = x3::unary_parser<Subject, when_directive<Ahead, Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr explicit when_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    return !Ahead(scan::blanks(first, last), last) || this->subject.parse(first, last, context, rule, x3::unused);
  }
};
template <auto Ahead>
struct when_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return when_directive<Ahead, Subject>{subject};
  }
};
template <auto Ahead>
inline constexpr when_generator<Ahead> when{};

/// `into<&value::member>[p]`: p fills a member of the rule's value, present if it is optional. `append<&value::list>[p]`: a new element of a list;
/// a p that fails leaves none behind. Both without the detour of X3's actions.
template <auto Member, bool Appends, class Subject>
struct into_directive : x3::unary_parser<Subject, into_directive<Member, Appends, Subject>> {
  using base = x3::unary_parser<Subject, into_directive<Member, Appends, Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false, has_action = true;
  constexpr explicit into_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    auto& member = rule.*Member;
    if constexpr (Appends) {
      member.emplace_back();
      if (this->subject.parse(first, last, context, rule, member.back())) return true;
      member.pop_back();
      return false;
    } else if constexpr (requires { member.reset(); }) {
      if (this->subject.parse(first, last, context, rule, member.emplace())) return true;
      member.reset();
      return false;
    } else {
      return this->subject.parse(first, last, context, rule, member);
    }
  }
};
template <auto Member, bool Appends>
struct into_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return into_directive<Member, Appends, Subject>{subject};
  }
};
template <auto Member>
inline constexpr into_generator<Member, false> into{};
template <auto Member>
inline constexpr into_generator<Member, true> append{};

/// `same_value[p]`: p is a rule for the same value as the one it stands in.
template <class Subject>
struct same_value_directive : x3::unary_parser<Subject, same_value_directive<Subject>> {
  using base = x3::unary_parser<Subject, same_value_directive<Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false, has_action = true;
  constexpr explicit same_value_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    return this->subject.parse(first, last, context, x3::unused, rule);
  }
};
struct same_value_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return same_value_directive<Subject>{subject};
  }
};
inline constexpr same_value_generator same_value{};

/// `does<f>`: takes nothing and calls f(value of the rule); fails if f says false.
template <auto F>
struct does_parser : x3::parser<does_parser<F>> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false, has_action = true;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*&, const char* const&, const Context&, RuleContext& rule, Attribute&) const {
    if constexpr (std::is_same_v<decltype(F(rule)), bool>)
      return F(rule);
    else
      return F(rule), true;
  }
};
template <auto F>
inline constexpr does_parser<F> does{};

}  // namespace hlolint::grammar
