// Queries on instructions (query.md): what XLA prints is a query, with `where` for conditions, `$x` for captures and
// `...` for the rest.
#pragma once

#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/query/query_tokens.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/query/query.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::grammar::queries {

namespace query_rules {

using form = query_pattern::form;
using condition_form = query_condition::form;
using comparison = query_condition::comparison;

inline void keep_pattern_text(parse_state&, std::string_view text, query_pattern& p) { p.text = text; }
inline void keep_condition_text(parse_state&, std::string_view text, query_condition& c) { c.text = text; }

/// `a | b` is a pattern of two; `a` alone is itself. So are conditions.
inline void only_part(parse_state&, std::string_view, query_pattern& p) {
  if (p.parts.size() == 1) p = query_pattern(std::move(p.parts.front()));
}
inline void only_condition(parse_state&, std::string_view, query_condition& c) {
  if (c.parts.size() == 1) c = query_condition(std::move(c.parts.front()));
}
inline void unquote(query_literal& literal, std::string_view quoted) {
  literal.text = quoted.substr(1, quoted.size() - 2);
}

/// In a line as XLA prints it, names of operands only hold places.
inline void mark_printed(query_pattern& p) {
  p.is_printed = true;
  p.name = {};
  for (query_pattern& operand : p.parts) {
    if (!operand.has_operands) operand.opcode = {};
    mark_printed(operand);
  }
}
inline void printed(parse_state&, std::string_view, query_pattern& p) { mark_printed(p); }

}  // namespace query_rules

inline constexpr x3::rule<struct query_shape_id, query_shape> query_shape_{"query_shape"};
inline constexpr x3::rule<struct query_pattern_id, query_pattern> query_pattern_{"pattern"};
inline constexpr x3::rule<struct query_condition_id, query_condition> query_condition_{"condition"};

// capture = "$" identifier
inline constexpr auto capture = rule<std::string_view> = '$' >>
                                                         must("a name after '$'")[token<&scan::identifier, false>{}];

// --- shapes (query.md 2)
// dimension = "..." | "_" | integer
inline constexpr auto query_dim = rule<query_dimension> =
    "..." >> set<&query_dimension::what>(query_dimension::form::rest) |
    '_' >> set<&query_dimension::what>(query_dimension::form::any) | into<&query_dimension::size>[natural];
// array = ( type | "_" ) "[" [ dimension { "," dimension } ] "]" [ layout ]
inline constexpr auto query_array = rule<query_shape> = [] {
  return (into<&query_shape::type>[prim] | x3::lit('_')) >> '[' >> set<&query_shape::any_dimensions>(false) >>
         -(append<&query_shape::dimensions>[query_dim] % ',') >> must("a dimension, '_', '...' or ']'")[']'] >>
         -(layout_ahead >> into<&query_shape::layout>[layout_]);
};
// tuple = "(" [ ( shape | "..." ) { "," ( shape | "..." ) } ] ")"
inline constexpr auto query_tuple = rule<query_shape> = [] {
  return '(' >> set<&query_shape::is_tuple>(true) >> set<&query_shape::any_dimensions>(false) >>
         -(("..." >> set<&query_shape::any_more>(true) | append<&query_shape::elements>[query_shape_]) % ',') >>
         must("a shape, '...', ',' or ')'")[')'];
};
// bare type = type: any array of it
inline constexpr auto bare_type = rule<query_shape> = !keyword("tuple") >> into<&query_shape::type>[prim];
// shape = array | tuple | bare type
inline constexpr auto query_shape__def =
    nested[same_value[query_tuple]] | same_value[query_array] | same_value[bare_type];
BOOST_SPIRIT_DEFINE(query_shape_)

// --- patterns (query.md 3)
// attribute = key "=" value
inline constexpr auto query_attribute_ = rule<query_attribute> =
    into<&query_attribute::key>[attribute_name] >>
    must("the value of the attribute")[into<&query_attribute::value>[attribute_value]];
// operand = "..." | pattern
inline constexpr auto query_operand = rule<query_pattern> =
    "..." >> set<&query_pattern::what>(query_rules::form::rest) | same_value[query_pattern_];
// operands = "(" [ literal | operand { "," operand } ] ")"
inline constexpr auto query_operands = '(' >> set<&query_pattern::has_operands>(true) >>
                                       (into<&query_pattern::argument>[literal_argument] |
                                        -(append<&query_pattern::parts>[query_operand] % ',')) >>
                                       must("an operand, '...', ',' or ')'")[')'];
// head = "%" name | "_" | opcode; "*" in a name or opcode stands for any text
inline constexpr auto query_head = '%' >> must("a name after '%'")[into<&query_pattern::name>[glob_name]] |
                                   '_' >> !x3::lit('[') | !keyword("where") >> into<&query_pattern::opcode>[glob_word];
// instruction = ( shape [ head ] | head ) [ operands ] { "," attribute }
inline constexpr auto query_instruction = rule<query_pattern> = [] {
  return (into<&query_pattern::shape>[query_array] >> -query_head |
          into<&query_pattern::shape>[query_tuple] >> -query_head |
          into<&query_pattern::shape>[bare_type] >> !x3::lit('(') >> -query_head | query_head) >>
         -query_operands >> *(',' >> append<&query_pattern::attributes>[query_attribute_]);
};
// maybe = "maybe" "(" pattern ")" instruction
inline constexpr auto query_maybe = rule<query_pattern> = [] {
  return keyword("maybe") >> '(' >> set<&query_pattern::what>(query_rules::form::maybe) >>
         must("what may stand between")[append<&query_pattern::parts>[query_pattern_]] >> must("')'")[')'] >>
         must("a pattern")[append<&query_pattern::parts>[query_pattern_]];
};
// step = [ "!" ] ( maybe | instruction )
inline constexpr auto query_negation = rule<query_pattern> = [] {
  return '!' >> set<&query_pattern::what>(query_rules::form::not_) >>
         must("a pattern after '!'")[append<&query_pattern::parts>[query_maybe] |
                                     append<&query_pattern::parts>[query_instruction]];
};
inline constexpr auto query_step = rule<query_pattern> =
    same_value[query_negation] | same_value[query_maybe] | same_value[query_instruction];
// alternatives = step { "|" step }
inline constexpr auto query_alternatives = checked<&query_rules::only_part>[rule<query_pattern> = [] {
  return set<&query_pattern::what>(query_rules::form::either) >> append<&query_pattern::parts>[query_step] % '|';
}];
// pattern = [ "$" name ":" ] alternatives | "$" name
inline constexpr auto captured = rule<query_pattern> = [] {
  return set<&query_pattern::what>(query_rules::form::captured) >> into<&query_pattern::capture>[capture] >>
         -(':' >> must("a pattern after ':'")[append<&query_pattern::parts>[query_alternatives]]);
};
inline constexpr auto any_pattern = rule<query_pattern> =
    &x3::lit('$') >> same_value[captured] | !x3::lit('$') >> same_value[query_alternatives];
inline constexpr auto query_pattern__def = nested[same_value[checked<&query_rules::keep_pattern_text>[any_pattern]]];
BOOST_SPIRIT_DEFINE(query_pattern_)

// printed line = [ "ROOT" ] [ "%" ] name "=" instruction
inline constexpr auto printed_name = -keyword("ROOT") >> -x3::lit('%') >> token<&scan::identifier>{} >> '=' >>
                                     !x3::lit('=');
inline constexpr auto printed_line =
    checked<&query_rules::printed>[rule<query_pattern> = [] { return printed_name >> same_value[query_instruction]; }];

// --- conditions (query.md 4)
// property = word [ word ] [ "(" capture ")" ]
inline constexpr auto reserved_word = one_of("and", "or", "not", "where");
inline constexpr auto query_property_ = rule<query_property> =
    into<&query_property::name>[text[!reserved_word >> glob_word >> -(!reserved_word >> glob_word)]] >>
    -('(' >> must("a capture such as $x")[into<&query_property::capture>[capture]] >> must("')'")[')']);
// literal = number [ unit ] | string | text without blanks
inline constexpr auto query_literal_ = rule<query_literal> =
    into<
        &query_literal::text>[text[into<&query_literal::number>[decimal_digits] >> -into<&query_literal::unit>[unit]]] |
    update<&query_rules::unquote>[string] | into<&query_literal::text>[attribute_value];
// comparison = "==" | "=" | "!=" | "<" | "<=" | ">" | ">="
template <query_condition::comparison Is>
inline constexpr auto compared = set<&query_condition::compared>(Is);
inline constexpr auto comparison =
    (x3::lit("==") | '=') >> compared<query_rules::comparison::equal> |
    "!=" >> compared<query_rules::comparison::not_equal> | "<=" >> compared<query_rules::comparison::at_most> |
    '<' >> compared<query_rules::comparison::less> | ">=" >> compared<query_rules::comparison::at_least> |
    '>' >> compared<query_rules::comparison::more>;
// test = property [ comparison ( literal | property "(" capture ")" ) ]
inline constexpr auto query_test = rule<query_condition> = [] {
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
inline constexpr auto subject = rule<query_property> = into<&query_property::capture>[capture];
inline constexpr auto query_relation = rule<query_condition> = [] {
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
inline constexpr auto query_not = rule<query_condition> =
    keyword("not") >> set<&query_condition::what>(query_rules::condition_form::not_) >>
    must("a condition after 'not'")[append<&query_condition::parts>[query_negated]];
inline constexpr auto in_parentheses_ = '(' >> same_value[query_condition_] >> must("')', 'and' or 'or'")[')'];
inline constexpr auto any_condition = rule<query_condition> = [] {
  return same_value[query_not] | in_parentheses_ | relation_ahead >> same_value[query_relation] |
         !relation_ahead >> same_value[query_test];
};
inline constexpr auto query_negated_def = nested[same_value[checked<&query_rules::keep_condition_text>[any_condition]]];
BOOST_SPIRIT_DEFINE(query_negated)
// conjunction = negated { "and" negated }
inline constexpr auto query_conjunction = checked<&query_rules::only_condition>[rule<query_condition> = [] {
  return set<&query_condition::what>(query_rules::condition_form::every) >>
         must("a condition")[append<&query_condition::parts>[query_negated]] % keyword("and");
}];
// condition = conjunction { "or" conjunction }
inline constexpr auto query_condition__def =
    same_value[checked<&query_rules::only_condition>[rule<query_condition> = [] {
      return set<&query_condition::what>(query_rules::condition_form::any) >>
             append<&query_condition::parts>[query_conjunction] % keyword("or");
    }]];
BOOST_SPIRIT_DEFINE(query_condition_)

// --- query = ( printed line | pattern ) [ "where" condition ]
inline constexpr auto printed_line_ahead = &printed_name;
inline constexpr auto whole_query = rule<query> =
    must("a pattern such as all-reduce(...)")[printed_line_ahead >> into<&query::pattern>[printed_line] |
                                              !printed_line_ahead >> into<&query::pattern>[query_pattern_]] >>
    -(keyword("where") >> into<&query::where>[query_condition_]) >>
    must("'where', ',', '|' or the end of the query")[x3::eoi];

/// What reading a query came to.
struct query_reading {
  std::optional<query> value;  ///< nothing if it is not well formed
  std::size_t at = 0;          ///< then where reading failed, in bytes
  std::string wrong;           ///< and what was expected there
};

/// Reads one whole query. A text of more than 64 KiB is refused.
inline query_reading read_query(source written) {
  query_reading out;
  const std::string_view whole = written.text();
  if (whole.size() > std::size_t{1} << 16) {
    out.wrong = "a query has at most 64 KiB";
    return out;
  }
  parse_state state;
  query value;
  const char* first = whole.data();
  const bool read = parse_alone(whole_query, first, whole.data() + whole.size(), state, value);
  if (read && state.broken.empty()) {
    value.text = std::move(written);
    out.value = std::move(value);
    return out;
  }
  const char* where = read ? state.broken.front().where : state.furthest ? state.furthest : first;
  out.at = static_cast<std::size_t>(where - whole.data());
  out.wrong =
      read ? state.broken.front().message : std::string("expected ") + (state.expected ? state.expected : "a query");
  return out;
}

/// One property, `bytes($x)`; nothing if the text is not one.
inline std::optional<query_property> read_property(std::string_view whole) {
  return value_of<query_property>(query_property_, whole);
}

}  // namespace hlolint::grammar::queries
