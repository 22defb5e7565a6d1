// What the grammar of queries is written with: its words, and where each part is stored.
#pragma once

#include <hlolint/grammar/query/query_tokens.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/query/query.hpp>

#include <string_view>
#include <utility>

namespace hlolint::grammar::queries {

// The kinds of parts, as the grammar calls them.
using dimension = query_dimension::form;
using pattern = query_pattern::form;
using condition = query_condition::form;
using sign = query_condition::comparison;

// A name behind its sign, and a relation's subject.
inline constexpr auto capture =
    rule<std::string_view> = [](auto) { return '$' >> must("a name after '$'")[token<&scan::identifier, false>{}]; };
inline constexpr auto subject =
    rule<query_property> = [](auto) { return into<&query_property::capture>[queries::capture]; };

/// `a | b` is a pattern of two, and `a and b` a condition of two; `a` alone is itself.
template <class Whole>
void only_part(parse_state&, std::string_view, Whole& whole) {
  if (whole.parts.size() == 1) whole = Whole(std::move(whole.parts.front()));
}
template <class Whole>
void keep_text(parse_state&, std::string_view text, Whole& whole) {
  whole.text = text;
}

// --- where a part goes, by the value that it is a part of
namespace in_dimension {
template <dimension Is>
inline constexpr auto is = set<&query_dimension::what>(Is);
inline constexpr auto size = into<&query_dimension::size>;
}  // namespace in_dimension

namespace in_shape {
inline constexpr auto type = into<&query_shape::type>;
inline constexpr auto listed = set<&query_shape::any_dimensions>(false);
inline constexpr auto dimension = append<&query_shape::dimensions>;
inline constexpr auto layout = into<&query_shape::layout>;
inline constexpr auto tuple = set<&query_shape::is_tuple>(true);
inline constexpr auto element = append<&query_shape::elements>;
inline constexpr auto any_more = set<&query_shape::any_more>(true);
}  // namespace in_shape

namespace in_attribute {
inline constexpr auto key = into<&query_attribute::key>;
inline constexpr auto value = into<&query_attribute::value>;
}  // namespace in_attribute

namespace in_pattern {
template <pattern Is>
inline constexpr auto is = set<&query_pattern::what>(Is);
inline constexpr auto shape = into<&query_pattern::shape>;
inline constexpr auto opcode = into<&query_pattern::opcode>;
inline constexpr auto name = into<&query_pattern::name>;
inline constexpr auto has_operands = set<&query_pattern::has_operands>(true);
inline constexpr auto argument = into<&query_pattern::argument>;
inline constexpr auto part = append<&query_pattern::parts>;
inline constexpr auto attribute = append<&query_pattern::attributes>;
inline constexpr auto capture = into<&query_pattern::capture>;

inline constexpr auto only_one = checked<&only_part<query_pattern>>;
inline constexpr auto with_text = checked<&keep_text<query_pattern>>;

/// In a line as XLA prints it, names of operands only hold places.
inline void mark_printed(query_pattern& p) {
  p.is_printed = true;
  p.name = {};
  for (query_pattern& operand : p.parts) {
    if (!operand.has_operands) operand.opcode = {};
    mark_printed(operand);
  }
}
inline void mark(parse_state&, std::string_view, query_pattern& p) { mark_printed(p); }
inline constexpr auto printed = checked<&mark>;
}  // namespace in_pattern

namespace in_property {
inline constexpr auto name = into<&query_property::name>;
inline constexpr auto capture = into<&query_property::capture>;
}  // namespace in_property

namespace in_literal {
inline constexpr auto written = into<&query_literal::text>;
inline constexpr auto number = into<&query_literal::number>;
inline constexpr auto unit_of_it = into<&query_literal::unit>;
inline void without_quotes(query_literal& literal, std::string_view quoted) {
  literal.text = quoted.substr(1, quoted.size() - 2);
}
inline constexpr auto quoted = update<&without_quotes>;
}  // namespace in_literal

namespace in_condition {
template <condition Is>
inline constexpr auto is = set<&query_condition::what>(Is);
template <queries::sign Is>
inline constexpr auto sign = set<&query_condition::compared>(Is);
inline constexpr auto property = into<&query_condition::property>;
inline constexpr auto literal = into<&query_condition::literal>;
inline constexpr auto other = into<&query_condition::other>;
inline constexpr auto steps = into<&query_condition::within>;
inline constexpr auto pattern = append<&query_condition::pattern>;
inline constexpr auto part = append<&query_condition::parts>;

inline constexpr auto only_one = checked<&only_part<query_condition>>;
inline constexpr auto with_text = checked<&keep_text<query_condition>>;
}  // namespace in_condition

namespace in_query {
inline constexpr auto pattern = into<&query::pattern>;
inline constexpr auto where = into<&query::where>;
}  // namespace in_query

// --- rules that stand in their own definitions
inline constexpr x3::rule<struct query_shape_id, query_shape> query_shape_{"query_shape"};
inline constexpr x3::rule<struct query_pattern_id, query_pattern> query_pattern_{"pattern"};
inline constexpr x3::rule<struct query_condition_id, query_condition> query_condition_{"condition"};
inline constexpr x3::rule<struct query_negated_id, query_condition> query_negated{"negated"};

// --- words
inline constexpr auto maybe_ahead = &(keyword("maybe") >> '(');
inline constexpr auto reserved_word = one_of("and", "or", "not", "where");
inline constexpr auto relation_ahead = &(x3::lit('$') | one_of("depends", "reaches", "has", "holds", "enters", "is"));
inline constexpr auto depends_on = keyword("depends") >>
                                   must("'on'")[keyword("on")] >> in_condition::is<condition::depends_on>;
inline constexpr auto reaches = keyword("reaches") >> in_condition::is<condition::reaches>;
inline constexpr auto has = keyword("has");
inline constexpr auto operand_or_user =
    must("'operand' or 'user'")[keyword("operand") >> in_condition::is<condition::operand> |
                                keyword("user") >> in_condition::is<condition::user>];
inline constexpr auto holds = keyword("holds") >> in_condition::is<condition::body>;
inline constexpr auto enters = keyword("enters") >> in_condition::is<condition::enters>;
inline constexpr auto is = keyword("is") >> in_condition::is<condition::is>;

// --- what a property is compared with, and how
inline constexpr auto comparison = (x3::lit("==") | '=') >> in_condition::sign<sign::equal> |
                                   "!=" >> in_condition::sign<sign::not_equal> |
                                   "<=" >> in_condition::sign<sign::at_most> | '<' >> in_condition::sign<sign::less> |
                                   ">=" >> in_condition::sign<sign::at_least> | '>' >> in_condition::sign<sign::more>;
inline constexpr auto query_literal_ = rule<query_literal> = [](auto) {
  return in_literal::written[text[in_literal::number[decimal_digits] >> -in_literal::unit_of_it[unit]]] |
         in_literal::quoted[string] | in_literal::written[attribute_value];
};

}  // namespace hlolint::grammar::queries
