// The conditions of queries: properties and what they are compared with, and relations to other patterns (query.md 4).
#pragma once

#include <hlolint/grammar/query/query_patterns.hpp>

namespace hlolint::grammar::queries {

inline constexpr x3::rule<struct query_condition_id, query_condition> query_condition_{"condition"};

// --- conditions (query.md 4)
// property = word [ word ] [ "(" capture ")" ]
inline constexpr auto reserved_word = one_of("and", "or", "not", "where");
inline constexpr auto query_property_ = rule<query_property> = [](auto) {
  return into<&query_property::name>[text[!reserved_word >> glob_word >> -(!reserved_word >> glob_word)]] >>
         -('(' >> must("a capture such as $x")[into<&query_property::capture>[capture]] >> must("')'")[')']);
};
// literal = number [ unit ] | string | text without blanks
inline constexpr auto query_literal_ = rule<query_literal> = [](auto) {
  return into<&query_literal::text>[text[into<&query_literal::number>[decimal_digits] >>
                                         -into<&query_literal::unit>[unit]]] |
         update<&query_rules::unquote>[string] | into<&query_literal::text>[attribute_value];
};
// comparison = "==" | "=" | "!=" | "<" | "<=" | ">" | ">="
template <query_condition::comparison Is>
inline constexpr auto compared = set<&query_condition::compared>(Is);
inline constexpr auto comparison =
    (x3::lit("==") | '=') >> compared<query_rules::comparison::equal> |
    "!=" >> compared<query_rules::comparison::not_equal> | "<=" >> compared<query_rules::comparison::at_most> |
    '<' >> compared<query_rules::comparison::less> | ">=" >> compared<query_rules::comparison::at_least> |
    '>' >> compared<query_rules::comparison::more>;
// test = property [ comparison ( literal | property "(" capture ")" ) ]
inline constexpr auto query_test = rule<query_condition> = [](auto) {
  return set<&query_condition::what>(query_rules::condition_form::flag) >>
         into<&query_condition::property>[query_property_] >>
         -(comparison >> set<&query_condition::what>(query_rules::condition_form::compare) >>
           must("a number, a text or a property")[&(word >> '(' >> '$') >>
                                                      into<&query_condition::other>[query_property_] |
                                                  into<&query_condition::literal>[query_literal_]]);
};
// relation = [ capture ] ( "depends on" | "reaches" ) [ "within" integer ] "(" pattern ")"
//          | [ capture ] ( "has operand" | "has user" | "holds" | "enters" | "is" ) "(" pattern ")"
template <query_condition::form Is>
inline constexpr auto relates = set<&query_condition::what>(Is);
inline constexpr auto related_pattern = must("'('")['('] >>
                                        must("a pattern")[append<&query_condition::pattern>[query_pattern_]] >>
                                        must("')'")[')'];
inline constexpr auto within =
    -(keyword("within") >> must("a number of steps")[into<&query_condition::within>[natural]]);
inline constexpr auto subject = rule<query_property> = [](auto) { return into<&query_property::capture>[capture]; };
inline constexpr auto query_relation = rule<query_condition> = [](auto) {
  return -into<&query_condition::property>[subject] >>
         (keyword("depends") >> must("'on'")[keyword("on")] >> relates<query_rules::condition_form::depends_on> >>
              within |
          keyword("reaches") >> relates<query_rules::condition_form::reaches> >> within |
          keyword("has") >>
              must("'operand' or 'user'")[keyword("operand") >> relates<query_rules::condition_form::operand> |
                                          keyword("user") >> relates<query_rules::condition_form::user>] |
          keyword("holds") >> relates<query_rules::condition_form::body> |
          keyword("enters") >> relates<query_rules::condition_form::enters> |
          keyword("is") >> relates<query_rules::condition_form::is>) >>
         related_pattern;
};
// negated = "not" negated | "(" condition ")" | relation | test
inline constexpr auto relation_ahead = &(x3::lit('$') | one_of("depends", "reaches", "has", "holds", "enters", "is"));
inline constexpr x3::rule<struct query_negated_id, query_condition> query_negated{"negated"};
inline constexpr auto query_not = rule<query_condition> = [](auto) {
  return keyword("not") >> set<&query_condition::what>(query_rules::condition_form::not_) >>
         must("a condition after 'not'")[append<&query_condition::parts>[query_negated]];
};
inline constexpr auto in_parentheses_ = '(' >> same_value[query_condition_] >> must("')', 'and' or 'or'")[')'];
inline constexpr auto any_condition = rule<query_condition> = [](auto) {
  return same_value[query_not] | in_parentheses_ | relation_ahead >> same_value[query_relation] |
         !relation_ahead >> same_value[query_test];
};
inline constexpr auto query_negated_def = nested[same_value[checked<&query_rules::keep_condition_text>[any_condition]]];
BOOST_SPIRIT_DEFINE(query_negated)
// conjunction = negated { "and" negated }
inline constexpr auto query_conjunction = checked<&query_rules::only_condition>[rule<query_condition> = [](auto) {
  return set<&query_condition::what>(query_rules::condition_form::every) >>
         must("a condition")[append<&query_condition::parts>[query_negated]] % keyword("and");
}];
// condition = conjunction { "or" conjunction }
inline constexpr auto query_condition__def =
    same_value[checked<&query_rules::only_condition>[rule<query_condition> = [](auto) {
      return set<&query_condition::what>(query_rules::condition_form::any) >>
             append<&query_condition::parts>[query_conjunction] % keyword("or");
    }]];
BOOST_SPIRIT_DEFINE(query_condition_)

}  // namespace hlolint::grammar::queries
