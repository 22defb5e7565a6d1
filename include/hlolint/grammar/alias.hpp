// Attributes that say which buffers are shared: aliases, donors, and the layouts of the entry (hlo_text.md 2, 7).
#pragma once

#include <hlolint/grammar/shape.hpp>
#include <hlolint/grammar/directives.hpp>
#include <hlolint/grammar/value_terminals.hpp>
#include <hlolint/ir/attribute_values.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace hlolint::grammar {

/// `{}`, `{0,1}`: a path into a shape. A comma before the closing brace is taken, as in XLA.
inline bool read_shape_index(const char*& first, const char* last, parse_state& s, shape_index* out) {
  const char* p = first;
  if (!take(p, last, '{')) return false;
  do {
    const char* const begin = scan::blanks(p, last);
    std::int64_t step = 0;
    if (!take_integer(p, last, s, step)) break;
    if (step < 0 || step > 0xFFFFFFFF)
      s.broke(begin, say({"a shape has no element ", step}));
    else if (out)
      out->push_back(static_cast<std::uint32_t>(step));
  } while (take(p, last, ','));
  if (!take(p, last, s, '}', "an integer, ',' or '}' in a shape index")) return false;
  first = p;
  return true;
}
inline constexpr value_parser<&read_shape_index> shape_index_{};

namespace alias_rules {

/// The entry's own text becomes known when it has been read.
template <class Subject>
struct entry_directive : x3::unary_parser<Subject, entry_directive<Subject>> {
  using base = x3::unary_parser<Subject, entry_directive<Subject>>;
  static constexpr bool is_pass_through_unary = true;
  constexpr explicit entry_directive(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    const char* const begin = scan::blanks(first, last);
    rule.entries.emplace_back();
    if (!this->subject.parse(first, last, context, rule, x3::unused)) {
      rule.entries.pop_back();
      return false;
    }
    rule.entries.back().text = view(begin, first);
    return true;
  }
};
struct entry_generator {
  template <class Subject>
  constexpr auto operator[](const Subject& subject) const {
    return entry_directive<Subject>{subject};
  }
};
inline constexpr entry_generator entry{};

/// Fills a member of the newest entry.
template <auto Member, class Subject>
struct into_last : x3::unary_parser<Subject, into_last<Member, Subject>> {
  using base = x3::unary_parser<Subject, into_last<Member, Subject>>;
  using attribute_type = x3::unused_type;
  static constexpr bool has_attribute = false, handles_container = false;
  constexpr into_last(const Subject& inner) : base(inner) {}
  template <class Context, class RuleContext, class Attribute>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleContext& rule, Attribute&) const {
    return this->subject.parse(first, last, context, rule, rule.entries.back().*Member);
  }
};
template <auto Member, class Subject>
constexpr auto set(const Subject& subject) {
  return into_last<Member, Subject>{subject};
}
constexpr void set_must(auto& table) { table.entries.back().must_alias = true; }

template <auto Number, auto Index>
inline constexpr auto place = must("'('")['('_p] >> must("an integer")[set<Number>(integer)] >> must("','")[','_p] >>
                              must("a shape index")[set<Index>(shape_index_)];
inline constexpr auto close = must("')'")[')'_p];
// Entries end with a comma or not.
template <class Entry>
constexpr auto entries(const Entry& one) {
  return in_braces("an entry, ',' or '}'", true)[entry[one]];
}

}  // namespace alias_rules

/// `{ {0}: (1, {}, may-alias) }`
struct alias_id {};
inline constexpr x3::rule<alias_id, hlolint::input_output_alias> alias_{"input_output_alias"};
inline constexpr auto alias__def = [] {
  using namespace alias_rules;
  using one = hlolint::input_output_alias_entry;
  const auto kind =
      ','_p >> must("may-alias or must-alias")[keyword("may-alias") |
                                               keyword("must-alias") >> does<&set_must<hlolint::input_output_alias>>];
  return entries(set<&one::output>(shape_index_) >> must("':'")[':'_p] >>
                 place<&one::parameter, &one::parameter_index> >> maybe[kind] >> close);
}();

/// `{ (0, {}), (1, {0}) }`
struct donor_id {};
inline constexpr x3::rule<donor_id, hlolint::buffer_donor> donor_{"buffer_donor"};
inline constexpr auto donor__def = [] {
  using namespace alias_rules;
  using one = hlolint::buffer_donor_entry;
  return entries(&'('_p >> place<&one::parameter, &one::parameter_index> >> close);
}();

/// `{{0}: (1, {})}`
struct operand_alias_id {};
inline constexpr x3::rule<operand_alias_id, hlolint::output_to_operand_aliasing> operand_alias_{
    "output_to_operand_aliasing"};
inline constexpr auto operand_alias__def = [] {
  using namespace alias_rules;
  using one = hlolint::operand_alias_entry;
  return entries(set<&one::output>(shape_index_) >> must("':'")[':'_p] >> place<&one::operand, &one::operand_index> >>
                 close);
}();

/// `{(shape, shape)->shape}`
struct computation_layout_id {};
inline constexpr x3::rule<computation_layout_id, hlolint::computation_layout> computation_layout_{
    "entry_computation_layout"};
inline constexpr auto computation_layout__def =
    '{'_p >> must("the parameters' shapes, in parentheses")[in_parentheses(
                 "a shape, ',' or ')'", true)[append<&computation_layout::parameters>[shape_]]] >>
    must("'->'")[arrow] >> must("the result's shape")[into<&computation_layout::result>[shape_]] >> must("'}'")['}'_p];

inline namespace tokens {
// {shape, shape}
inline constexpr auto shapes = in_braces("a shape, ',' or '}'")[shape_];
}  // namespace tokens

BOOST_SPIRIT_DEFINE(alias_, donor_, operand_alias_, computation_layout_)

}  // namespace hlolint::grammar
