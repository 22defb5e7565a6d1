// The parts of the grammar of queries: kinds, words, comparisons.
#pragma once

#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/tool/query/grammar/query_tokens.hpp>
#include <hlolint/tool/query/query.hpp>

#include <string_view>
#include <utility>

namespace hlolint::grammar::queries {

// Short names for the kinds of parts.
using dimension = query_dimension::form;
using pattern = query_pattern::form;
using condition = query_condition::form;
using sign = query_condition::comparison;

// `$x`: a capture, which can be the subject of a relation.
inline constexpr auto capture = rule<std::string_view>("capture") =
    '$' >> must("a name after '$'")[token<&scan::identifier, false>{}];
inline constexpr auto subject = rule<query_property>("subject") = into<&query_property::capture>[queries::capture];

/// Replaces alternatives or conjunctions that have one part by this part.
template <class Whole>
void only_part(parse_state&, std::string_view, Whole& whole) {
  if (whole.parts.size() == 1) whole = Whole(std::move(whole.parts.front()));
}
template <class Whole>
void keep_text(parse_state&, std::string_view text, Whole& whole) {
  whole.text = text;
}

/// Removes the names of operands in a line as XLA prints it, where they only hold places.
inline void mark_printed(query_pattern& p) {
  p.is_printed = true;
  p.name = {};
  for (query_pattern& operand : p.parts) {
    if (!operand.has_operands) operand.opcode = {};
    mark_printed(operand);
  }
}
inline void mark_printed_line(parse_state&, std::string_view, query_pattern& p) { mark_printed(p); }
inline void without_quotes(query_literal& literal, std::string_view quoted) {
  literal.text = quoted.substr(1, quoted.size() - 2);
}

// --- the kind of a part
template <dimension Is>
inline constexpr auto dimension_is = set<&query_dimension::what>(Is);
template <pattern Is>
inline constexpr auto pattern_is = set<&query_pattern::what>(Is);
template <condition Is>
inline constexpr auto condition_is = set<&query_condition::what>(Is);
template <sign Is>
inline constexpr auto compared = set<&query_condition::compared>(Is);

// --- recursive rules
inline constexpr x3::rule<struct query_shape_id, query_shape> query_shape_{"query_shape"};
inline constexpr x3::rule<struct query_pattern_id, query_pattern> query_pattern_{"pattern"};
inline constexpr x3::rule<struct query_condition_id, query_condition> query_condition_{"condition"};
inline constexpr x3::rule<struct query_negated_id, query_condition> query_negated{"negated"};

// --- words
inline constexpr auto maybe_ahead = &(keyword("maybe") >> '(');
inline constexpr auto reserved_word = one_of("and", "or", "not", "where");
inline constexpr auto relation_ahead = &(x3::lit('$') | one_of("depends", "reaches", "has", "holds", "enters", "is"));
inline constexpr auto depends_on = keyword("depends") >>
                                   must("'on'")[keyword("on")] >> condition_is<condition::depends_on>;
inline constexpr auto reaches = keyword("reaches") >> condition_is<condition::reaches>;
inline constexpr auto has = keyword("has");
inline constexpr auto operand_or_user =
    must("'operand' or 'user'")[keyword("operand") >> condition_is<condition::operand> |
                                keyword("user") >> condition_is<condition::user>];
inline constexpr auto holds = keyword("holds") >> condition_is<condition::body>;
inline constexpr auto enters = keyword("enters") >> condition_is<condition::enters>;
inline constexpr auto is = keyword("is") >> condition_is<condition::is>;

// --- comparisons of a property
inline constexpr auto comparison = (x3::lit("==") | '=') >> compared<sign::equal> | "!=" >> compared<sign::not_equal> |
                                   "<=" >> compared<sign::at_most> | '<' >> compared<sign::less> |
                                   ">=" >> compared<sign::at_least> | '>' >> compared<sign::more>;
inline constexpr auto query_literal_ = rule<query_literal>("query literal") =
    into<
        &query_literal::text>[text[into<&query_literal::number>[decimal_digits] >> -into<&query_literal::unit>[unit]]] |
    update<&without_quotes>[string] | into<&query_literal::text>[attribute_value];

}  // namespace hlolint::grammar::queries
