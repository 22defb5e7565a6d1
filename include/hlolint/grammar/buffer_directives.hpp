// What buffer dumps need beside tokens: messages, records under construction, and lines that cannot be read.
#pragma once

#include <hlolint/grammar/buffer_tokens.hpp>

#include <string_view>
#include <utility>

namespace hlolint::grammar::dump {

/// The end of a line of free text. Only the `\n` that XLA ends every line with shows that nothing of it is missing.
struct ended_parser : x3::parser<ended_parser> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    const char* const end = scan::dump::end_of_line(first, last);
    if (!end) return false;
    if (end == first || end[-1] != '\n') dump_of(context).cut_off = true;
    first = end;
    return true;
  }
};
inline constexpr ended_parser ended{};

/// The text that `p` matched.
template <class Subject>
struct text_at_parser : x3::unary_parser<Subject, text_at_parser<Subject>> {
  using base = x3::unary_parser<Subject, text_at_parser<Subject>>;
  using attribute_type = std::string_view;
  static constexpr bool has_attribute = true, handles_container = false;
  constexpr explicit text_at_parser(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule,
             Attribute& attribute) const {
    const char* p = first;
    if (!this->subject.parse(p, last, context, rule, x3::unused)) return false;
    assign(view(first, p), attribute);
    first = p;
    return true;
  }
};
struct text_at_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return text_at_parser<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
inline constexpr text_at_generator text_at{};

/// A directive over one parser, made by `generator{args}[p]`.
template <template <class> class Directive, class Argument>
struct generator {
  Argument argument;
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    using parser = typename x3::extension::as_parser<Subject>::value_type;
    return Directive<parser>(x3::as_parser(subject), argument);
  }
};

/// `must("a size")[p]`: if p fails, the message about this line says that a size was expected here.
template <class Subject>
struct must_parser : x3::unary_parser<Subject, must_parser<Subject>> {
  using base = x3::unary_parser<Subject, must_parser<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr must_parser(const Subject& inner, const char* text) : base(inner), what(text) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule,
             Attribute& attribute) const {
    if (this->subject.parse(first, last, context, rule, attribute)) return true;
    dump_of(context).expected(first, what);
    return false;
  }
  const char* what;
};
constexpr generator<must_parser, const char*> must(const char* what) { return {what}; }

/// `next("' uses:'")[p]`: p comes here in every whole dump. If not, that is said, and reading goes on without it.
template <class Subject>
struct next_parser : x3::unary_parser<Subject, next_parser<Subject>> {
  using base = x3::unary_parser<Subject, next_parser<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr next_parser(const Subject& inner, const char* text) : base(inner), what(text) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule,
             Attribute& attribute) const {
    if (this->subject.parse(first, last, context, rule, attribute)) return true;
    dump_of(context).missing(first, what);
    return true;
  }
  const char* what;
};
constexpr generator<next_parser, const char*> next(const char* what) { return {what}; }

/// `record<allocation>[p]`: p fills a new draft of an allocation; once all of it has matched, `keep(state, draft,
/// text)` puts it into its pool. `text` is what matched, without the end of the line.
template <class Record>
struct record_of {
  template <class Subject>
  struct parser : x3::unary_parser<Subject, parser<Subject>> {
    using base = x3::unary_parser<Subject, parser<Subject>>;
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;
    constexpr explicit parser(const Subject& inner) : base(inner) {}
    template <class Context, class RuleContext, class Attribute>
    bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule,
               Attribute&) const {
      dump_state& s = dump_of(context);
      const char* p = first;
      s.draft<Record>() = Record{};
      if (!this->subject.parse(p, last, context, rule, x3::unused)) return false;
      const char* end = p;
      while (end != first && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) --end;
      keep(s, s.draft<Record>(), view(first, end));
      first = p;
      return true;
    }
  };
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return parser<typename x3::extension::as_parser<Subject>::value_type>(x3::as_parser(subject));
  }
};
template <class Record>
inline constexpr record_of<Record> record{};

/// A part of another record: there is no pool for it.
inline void keep(dump_state&, value_name&, std::string_view) {}

/// Puts an attribute into the draft of its record: `number[into<&allocation::size>]`.
template <class Record, class Value>
Record record_type(Value Record::*);
template <auto Member>
inline constexpr auto into = [](auto& c) {
  dump_of(c).template draft<decltype(record_type(Member))>().*Member = std::move(x3::_attr(c));
};
/// Says yes: `" (phi)"_t[set<&value_name::phi>]`.
template <auto Member>
inline constexpr auto set = [](auto& c) { dump_of(c).template draft<decltype(record_type(Member))>().*Member = true; };

/// A line that cannot be read; the list that holds it goes on behind it. Takes those that begin as `beginning` does,
/// and those that begin like nothing known. Neighbours are one problem.
struct unreadable : x3::parser<unreadable> {
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr unreadable(std::string_view text, const char* what_) : beginning(text), what(what_) {}
  /// Any line at all.
  constexpr explicit unreadable(const char* what_) : any(true), what(what_) {}

  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext&, Attribute&) const {
    if (first == last) return false;
    const bool ours =
        !beginning.empty() && view(first, last).starts_with(beginning) && !scan::dump::end_of_line(first, last);
    if (!ours && !any && scan::dump::landmark(first, last)) return false;
    dump_state& s = dump_of(context);
    s.unreadable(first, what);
    first = s.resume = scan::dump::next_line(first, last);
    return true;
  }
  std::string_view beginning;
  bool any = false;
  const char* what;
};

}  // namespace hlolint::grammar::dump
