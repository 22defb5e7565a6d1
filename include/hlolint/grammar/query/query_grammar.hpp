// The grammar of queries, in the order of query.md: shapes, patterns, conditions. Its words, and where each part is
// stored, are in query_parts.hpp. What decides is looked at first, with `&` and `!`: what is tried twice at each level
// of nesting never ends.
#pragma once

#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/query/query_parts.hpp>
#include <hlolint/grammar/query/query_tokens.hpp>
#include <hlolint/grammar/x3/tokens.hpp>

namespace hlolint::grammar::queries {

inline constexpr auto query_dim = rule<query_dimension> = [](auto) {
  return "..." >> in_dimension::is<dimension::rest> | '_' >> in_dimension::is<dimension::any> |
         in_dimension::size[natural];
};
inline constexpr auto query_array = rule<query_shape> = [](auto) {
  return (in_shape::type[prim] | x3::lit('_')) >> '[' >> in_shape::listed >> -(in_shape::dimension[query_dim] % ',') >>
         must("a dimension, '_', '...' or ']'")[']'] >> -(layout_ahead >> in_shape::layout[layout_]);
};
inline constexpr auto query_tuple = rule<query_shape> = [](auto) {
  return '(' >> in_shape::tuple >> in_shape::listed >>
         -(("..." >> in_shape::any_more | in_shape::element[query_shape_]) % ',') >>
         must("a shape, '...', ',' or ')'")[')'];
};
inline constexpr auto bare_type = rule<query_shape> = [](auto) { return !keyword("tuple") >> in_shape::type[prim]; };
inline constexpr auto query_shape__def =
    nested[same_value[query_tuple]] | same_value[query_array] | same_value[bare_type];
BOOST_SPIRIT_DEFINE(query_shape_)

inline constexpr auto query_attribute_ = rule<query_attribute> = [](auto) {
  return in_attribute::key[attribute_name] >> must("the value of the attribute")[in_attribute::value[attribute_value]];
};
inline constexpr auto query_operand =
    rule<query_pattern> = [](auto) { return "..." >> in_pattern::is<pattern::rest> | same_value[query_pattern_]; };
inline constexpr auto query_operands = '(' >> in_pattern::has_operands >> (in_pattern::argument[literal_argument] |
                                                                           -(in_pattern::part[query_operand] % ',')) >>
                                       must("an operand, '...', ',' or ')'")[')'];
inline constexpr auto query_head = '%' >> must("a name after '%'")[in_pattern::name[glob_name]] | '_' >> !x3::lit('[') |
                                   !keyword("where") >> in_pattern::opcode[glob_word];
inline constexpr auto query_instruction = rule<query_pattern> = [](auto) {
  return (in_pattern::shape[query_array] >> -query_head | in_pattern::shape[query_tuple] >> -query_head |
          in_pattern::shape[bare_type] >> !x3::lit('(') >> -query_head | query_head) >>
         -query_operands >> *(',' >> in_pattern::attribute[query_attribute_]);
};
inline constexpr auto query_maybe = rule<query_pattern> = [](auto) {
  return keyword("maybe") >> '(' >> in_pattern::is<pattern::maybe> >>
         must("what may stand between")[in_pattern::part[query_pattern_]] >> must("')'")[')'] >>
         must("a pattern")[in_pattern::part[query_pattern_]];
};
inline constexpr auto maybe_or_instruction = rule<query_pattern> = [](auto) {
  return maybe_ahead >> same_value[query_maybe] | !maybe_ahead >> same_value[query_instruction];
};
inline constexpr auto query_step = rule<query_pattern> = [](auto) {
  return '!' >> in_pattern::is<pattern::not_> >> must("a pattern after '!'")[in_pattern::part[maybe_or_instruction]] |
         same_value[maybe_or_instruction];
};
// A step that cannot be read is not for a list around this one.
inline constexpr auto query_alternatives = in_pattern::only_one[rule<query_pattern> = [](auto) {
  return in_pattern::is<pattern::either> >> in_pattern::part[query_step] % '|' >> !x3::lit('|');
}];
inline constexpr auto any_pattern = rule<query_pattern> = [](auto) {
  return &x3::lit('$') >> in_pattern::is<pattern::captured> >> in_pattern::capture[capture] >>
             -(':' >> must("a pattern after ':'")[in_pattern::part[query_alternatives]]) |
         !x3::lit('$') >> same_value[query_alternatives];
};
inline constexpr auto query_pattern__def = nested[same_value[in_pattern::with_text[any_pattern]]];
BOOST_SPIRIT_DEFINE(query_pattern_)
inline constexpr auto printed_name = -keyword("ROOT") >> -x3::lit('%') >> token<&scan::identifier>{} >> '=' >>
                                     !x3::lit('=');
inline constexpr auto printed_line =
    in_pattern::printed[rule<query_pattern> = [](auto) { return printed_name >> same_value[query_instruction]; }];

inline constexpr auto query_property_ = rule<query_property> = [](auto) {
  return in_property::name[text[!reserved_word >> glob_word >> -(!reserved_word >> glob_word)]] >>
         -('(' >> must("a capture such as $x")[in_property::capture[capture]] >> must("')'")[')']);
};
inline constexpr auto query_test = rule<query_condition> = [](auto) {
  return in_condition::is<condition::flag> >> in_condition::property[query_property_] >>
         -(comparison >> in_condition::is<condition::compare> >>
           must("a number, a text or a property")[&(word >> '(' >> '$') >> in_condition::other[query_property_] |
                                                  in_condition::literal[query_literal_]]);
};
inline constexpr auto within = keyword("within") >> must("a number of steps")[in_condition::steps[natural]];
inline constexpr auto query_relation = rule<query_condition> = [](auto) {
  return -in_condition::property[subject] >>
         (depends_on >> -within | reaches >> -within | has >> operand_or_user | holds | enters | is) >>
         must("'('")['('] >> must("a pattern")[in_condition::pattern[query_pattern_]] >> must("')'")[')'];
};
inline constexpr auto any_condition = rule<query_condition> = [](auto) {
  return keyword("not") >> in_condition::is<condition::not_> >>
             must("a condition after 'not'")[in_condition::part[query_negated]] |
         '(' >> same_value[query_condition_] >> must("')', 'and' or 'or'")[')'] |
         relation_ahead >> same_value[query_relation] | !relation_ahead >> same_value[query_test];
};
inline constexpr auto query_negated_def = nested[same_value[in_condition::with_text[any_condition]]];
BOOST_SPIRIT_DEFINE(query_negated)
inline constexpr auto query_conjunction = in_condition::only_one[rule<query_condition> = [](auto) {
  return in_condition::is<condition::every> >> must("a condition")[in_condition::part[query_negated]] % keyword("and");
}];
inline constexpr auto any_of_conditions = in_condition::only_one[rule<query_condition> = [](auto) {
  return in_condition::is<condition::any> >> in_condition::part[query_conjunction] % keyword("or");
}];
inline constexpr auto query_condition__def = same_value[any_of_conditions];
BOOST_SPIRIT_DEFINE(query_condition_)
inline constexpr auto whole_query = rule<query> = [](auto) {
  return must("a pattern such as all-reduce(...)")[&printed_name >> in_query::pattern[printed_line] |
                                                   !printed_name >> in_query::pattern[query_pattern_]] >>
         -(keyword("where") >> in_query::where[query_condition_]) >>
         must("'where', ',', '|' or the end of the query")[x3::eoi];
};

}  // namespace hlolint::grammar::queries
