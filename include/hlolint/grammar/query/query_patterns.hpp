// The patterns of queries: shapes, opcodes, operands, attributes, captures (query.md 2 and 3).
#pragma once

#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/query/query_parts.hpp>
#include <hlolint/grammar/query/query_tokens.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/query/query.hpp>

#include <string_view>

namespace hlolint::grammar::queries {

inline constexpr x3::rule<struct query_shape_id, query_shape> query_shape_{"query_shape"};
inline constexpr x3::rule<struct query_pattern_id, query_pattern> query_pattern_{"pattern"};

// capture = "$" identifier
inline constexpr auto capture =
    rule<std::string_view> = [](auto) { return '$' >> must("a name after '$'")[token<&scan::identifier, false>{}]; };

// --- shapes (query.md 2)
// dimension = "..." | "_" | integer
inline constexpr auto query_dim = rule<query_dimension> = [](auto) {
  return "..." >> set<&query_dimension::what>(query_dimension::form::rest) |
         '_' >> set<&query_dimension::what>(query_dimension::form::any) | into<&query_dimension::size>[natural];
};
// array = ( type | "_" ) "[" [ dimension { "," dimension } ] "]" [ layout ]
inline constexpr auto query_array = rule<query_shape> = [](auto) {
  return (into<&query_shape::type>[prim] | x3::lit('_')) >> '[' >> set<&query_shape::any_dimensions>(false) >>
         -(append<&query_shape::dimensions>[query_dim] % ',') >> must("a dimension, '_', '...' or ']'")[']'] >>
         -(layout_ahead >> into<&query_shape::layout>[layout_]);
};
// tuple = "(" [ ( shape | "..." ) { "," ( shape | "..." ) } ] ")"
inline constexpr auto query_tuple = rule<query_shape> = [](auto) {
  return '(' >> set<&query_shape::is_tuple>(true) >> set<&query_shape::any_dimensions>(false) >>
         -(("..." >> set<&query_shape::any_more>(true) | append<&query_shape::elements>[query_shape_]) % ',') >>
         must("a shape, '...', ',' or ')'")[')'];
};
// bare type = type: any array of it
inline constexpr auto bare_type =
    rule<query_shape> = [](auto) { return !keyword("tuple") >> into<&query_shape::type>[prim]; };
// shape = array | tuple | bare type
inline constexpr auto query_shape__def =
    nested[same_value[query_tuple]] | same_value[query_array] | same_value[bare_type];
BOOST_SPIRIT_DEFINE(query_shape_)

// --- patterns (query.md 3)
// attribute = key "=" value
inline constexpr auto query_attribute_ = rule<query_attribute> = [](auto) {
  return into<&query_attribute::key>[attribute_name] >>
         must("the value of the attribute")[into<&query_attribute::value>[attribute_value]];
};
// operand = "..." | pattern
inline constexpr auto query_operand = rule<query_pattern> = [](auto) {
  return "..." >> set<&query_pattern::what>(query_rules::form::rest) | same_value[query_pattern_];
};
// operands = "(" [ literal | operand { "," operand } ] ")"
inline constexpr auto query_operands = '(' >> set<&query_pattern::has_operands>(true) >>
                                       (into<&query_pattern::argument>[literal_argument] |
                                        -(append<&query_pattern::parts>[query_operand] % ',')) >>
                                       must("an operand, '...', ',' or ')'")[')'];
// head = "%" name | "_" | opcode; "*" in a name or opcode stands for any text
inline constexpr auto query_head = '%' >> must("a name after '%'")[into<&query_pattern::name>[glob_name]] |
                                   '_' >> !x3::lit('[') | !keyword("where") >> into<&query_pattern::opcode>[glob_word];
// instruction = ( shape [ head ] | head ) [ operands ] { "," attribute }
inline constexpr auto query_instruction = rule<query_pattern> = [](auto) {
  return (into<&query_pattern::shape>[query_array] >> -query_head |
          into<&query_pattern::shape>[query_tuple] >> -query_head |
          into<&query_pattern::shape>[bare_type] >> !x3::lit('(') >> -query_head | query_head) >>
         -query_operands >> *(',' >> append<&query_pattern::attributes>[query_attribute_]);
};
// maybe = "maybe" "(" pattern ")" pattern
// What decides is looked at first: what is tried twice at each level of nesting never ends.
inline constexpr auto maybe_ahead = &(keyword("maybe") >> '(');
inline constexpr auto query_maybe = rule<query_pattern> = [](auto) {
  return keyword("maybe") >> '(' >> set<&query_pattern::what>(query_rules::form::maybe) >>
         must("what may stand between")[append<&query_pattern::parts>[query_pattern_]] >> must("')'")[')'] >>
         must("a pattern")[append<&query_pattern::parts>[query_pattern_]];
};
inline constexpr auto maybe_or_instruction = rule<query_pattern> = [](auto) {
  return maybe_ahead >> same_value[query_maybe] | !maybe_ahead >> same_value[query_instruction];
};
// step = [ "!" ] ( maybe | instruction )
inline constexpr auto query_negation = rule<query_pattern> = [](auto) {
  return '!' >> set<&query_pattern::what>(query_rules::form::not_) >>
         must("a pattern after '!'")[append<&query_pattern::parts>[maybe_or_instruction]];
};
inline constexpr auto query_step =
    rule<query_pattern> = [](auto) { return same_value[query_negation] | same_value[maybe_or_instruction]; };
// alternatives = step { "|" step }
inline constexpr auto query_alternatives = checked<&query_rules::only_part>[rule<query_pattern> = [](auto) {
  return set<&query_pattern::what>(query_rules::form::either) >> append<&query_pattern::parts>[query_step] % '|' >>
         !x3::lit('|');  // a step that cannot be read is not for a list around this one
}];
// pattern = [ "$" name ":" ] alternatives | "$" name
inline constexpr auto captured = rule<query_pattern> = [](auto) {
  return set<&query_pattern::what>(query_rules::form::captured) >> into<&query_pattern::capture>[capture] >>
         -(':' >> must("a pattern after ':'")[append<&query_pattern::parts>[query_alternatives]]);
};
inline constexpr auto any_pattern = rule<query_pattern> = [](auto) {
  return &x3::lit('$') >> same_value[captured] | !x3::lit('$') >> same_value[query_alternatives];
};
inline constexpr auto query_pattern__def = nested[same_value[checked<&query_rules::keep_pattern_text>[any_pattern]]];
BOOST_SPIRIT_DEFINE(query_pattern_)

// printed line = [ "ROOT" ] [ "%" ] name "=" instruction
inline constexpr auto printed_name = -keyword("ROOT") >> -x3::lit('%') >> token<&scan::identifier>{} >> '=' >>
                                     !x3::lit('=');
inline constexpr auto printed_line = checked<&query_rules::printed>[rule<query_pattern> = [](auto) {
  return printed_name >> same_value[query_instruction];
}];

}  // namespace hlolint::grammar::queries
