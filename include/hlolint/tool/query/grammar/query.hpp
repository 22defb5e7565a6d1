// Reads queries on instructions (query.md). The text that XLA prints for an instruction is a query. It can also have
// conditions after `where`, captures `$x`, and `...` for any further parts. The grammar is in the order of query.md:
// shapes, patterns, conditions. Its words are in query_parts.hpp. Tests with `&` and `!` choose an alternative before
// it is read: trying two at each level of nesting would take exponential time.
#pragma once

#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/tool/query/grammar/query_parts.hpp>
#include <hlolint/tool/query/grammar/query_tokens.hpp>
#include <hlolint/tool/query/query.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint::grammar::queries {

inline constexpr auto query_dim = rule<query_dimension>("query dim") = "..." >> dimension_is<dimension::rest> |
                                                                       '_' >> dimension_is<dimension::any> |
                                                                       into<&query_dimension::size>[natural];
inline constexpr auto query_array = rule<query_shape>("query array") =
    (into<&query_shape::type>[prim] | x3::lit('_')) >> '[' >> set<&query_shape::any_dimensions>(false) >>
    -(append<&query_shape::dimensions>[query_dim] % ',') >> must("a dimension, '_', '...' or ']'")[']'] >>
    -(layout_ahead >> into<&query_shape::layout>[layout_]);
inline constexpr auto query_tuple = rule<query_shape>("query tuple") =
    '(' >> set<&query_shape::is_tuple>(true) >> set<&query_shape::any_dimensions>(false) >>
    -(("..." >> set<&query_shape::any_more>(true) | append<&query_shape::elements>[query_shape_]) % ',') >>
    must("a shape, '...', ',' or ')'")[')'];
inline constexpr auto bare_type = rule<query_shape>("bare type") = !keyword("tuple") >> into<&query_shape::type>[prim];
inline constexpr auto query_shape__def =
    nested[same_value[query_tuple]] | same_value[query_array] | same_value[bare_type];
BOOST_SPIRIT_DEFINE(query_shape_)

inline constexpr auto query_attribute_ = rule<query_attribute>("query attribute") =
    into<&query_attribute::key>[attribute_name] >>
    must("the value of the attribute")[into<&query_attribute::value>[attribute_value]];
inline constexpr auto query_operand = rule<query_pattern>("query operand") =
    "..." >> pattern_is<pattern::rest> | same_value[query_pattern_];
inline constexpr auto query_operands = '(' >> set<&query_pattern::has_operands>(true) >>
                                       (into<&query_pattern::argument>[literal_argument] |
                                        -(append<&query_pattern::parts>[query_operand] % ',')) >>
                                       must("an operand, '...', ',' or ')'")[')'];
inline constexpr auto query_head = '%' >> must("a name after '%'")[into<&query_pattern::name>[glob_name]] |
                                   '_' >> !x3::lit('[') | !keyword("where") >> into<&query_pattern::opcode>[glob_word];
inline constexpr auto query_instruction = rule<query_pattern>("query instruction") =
    (into<&query_pattern::shape>[query_array] >> -query_head | into<&query_pattern::shape>[query_tuple] >> -query_head |
     into<&query_pattern::shape>[bare_type] >> !x3::lit('(') >> -query_head | query_head) >>
    -query_operands >> *(',' >> append<&query_pattern::attributes>[query_attribute_]);
inline constexpr auto query_maybe = rule<query_pattern>("query maybe") =
    keyword("maybe") >> '(' >> pattern_is<pattern::maybe> >>
    must("what may stand between")[append<&query_pattern::parts>[query_pattern_]] >> must("')'")[')'] >>
    must("a pattern")[append<&query_pattern::parts>[query_pattern_]];
inline constexpr auto maybe_or_instruction = rule<query_pattern>("maybe or instruction") =
    maybe_ahead >> same_value[query_maybe] | !maybe_ahead >> same_value[query_instruction];
inline constexpr auto query_step = rule<query_pattern>("query step") =
    '!' >> pattern_is<pattern::not_> >>
        must("a pattern after '!'")[append<&query_pattern::parts>[maybe_or_instruction]] |
    same_value[maybe_or_instruction];
// If the step after a bar cannot be read, the list fails and does not leave the bar to a list around it.
inline constexpr auto query_alternatives =
    checked<&only_part<query_pattern>>[rule<query_pattern>("either pattern") =
                                           pattern_is<pattern::either> >>
                                           append<&query_pattern::parts>[query_step] % '|' >> !x3::lit('|')];
inline constexpr auto any_pattern = rule<query_pattern>("any pattern") =
    &x3::lit('$') >> pattern_is<pattern::captured> >> into<&query_pattern::capture>[capture] >>
        -(':' >> must("a pattern after ':'")[append<&query_pattern::parts>[query_alternatives]]) |
    !x3::lit('$') >> same_value[query_alternatives];
inline constexpr auto query_pattern__def = nested[same_value[checked<&keep_text<query_pattern>>[any_pattern]]];
BOOST_SPIRIT_DEFINE(query_pattern_)
inline constexpr auto printed_name = -keyword("ROOT") >> -x3::lit('%') >> token<&scan::identifier>{} >> '=' >>
                                     !x3::lit('=');
inline constexpr auto printed_line =
    checked<&mark_printed_line>[rule<query_pattern>("printed line") = printed_name >> same_value[query_instruction]];

inline constexpr auto query_property_ = rule<query_property>("query property") =
    into<&query_property::name>[text[!reserved_word >> glob_word >> -(!reserved_word >> glob_word)]] >>
    -('(' >> must("a capture such as $x")[into<&query_property::capture>[capture]] >> must("')'")[')']);
inline constexpr auto query_test = rule<query_condition>("query test") =
    condition_is<condition::flag> >> into<&query_condition::property>[query_property_] >>
    -(comparison >> condition_is<condition::compare> >>
      must("a number, a text or a property")[&(word >> '(' >> '$') >> into<&query_condition::other>[query_property_] |
                                             into<&query_condition::literal>[query_literal_]]);
inline constexpr auto within = keyword("within") >> must("a number of steps")[into<&query_condition::within>[natural]];
inline constexpr auto query_relation = rule<query_condition>("query relation") =
    -into<&query_condition::property>[subject] >>
    (depends_on >> -within | reaches >> -within | has >> operand_or_user | holds | enters | is) >> must("'('")['('] >>
    must("a pattern")[append<&query_condition::pattern>[query_pattern_]] >> must("')'")[')'];
inline constexpr auto any_condition = rule<query_condition>("any condition") =
    keyword("not") >> condition_is<condition::not_> >>
        must("a condition after 'not'")[append<&query_condition::parts>[query_negated]] |
    '(' >> same_value[query_condition_] >> must("')', 'and' or 'or'")[')'] |
    relation_ahead >> same_value[query_relation] | !relation_ahead >> same_value[query_test];
inline constexpr auto query_negated_def = nested[same_value[checked<&keep_text<query_condition>>[any_condition]]];
BOOST_SPIRIT_DEFINE(query_negated)
inline constexpr auto query_conjunction =
    checked<&only_part<query_condition>>[rule<query_condition>("all conditions") =
                                             condition_is<condition::every> >>
                                             must("a condition")[append<&query_condition::parts>[query_negated]] %
                                                 keyword("and")];
inline constexpr auto any_of_conditions =
    checked<&only_part<query_condition>>[rule<query_condition>("some condition") =
                                             condition_is<condition::any> >>
                                             append<&query_condition::parts>[query_conjunction] % keyword("or")];
inline constexpr auto query_condition__def = same_value[any_of_conditions];
BOOST_SPIRIT_DEFINE(query_condition_)
inline constexpr auto whole_query = rule<query>("whole query") =
    must("a pattern such as all-reduce(...)")[&printed_name >> into<&query::pattern>[printed_line] |
                                              !printed_name >> into<&query::pattern>[query_pattern_]] >>
    -(keyword("where") >> into<&query::where>[query_condition_]) >>
    must("'where', ',', '|' or the end of the query")[x3::eoi];

/// The result of reading a query.
struct query_reading {
  std::optional<query> value;  ///< nothing if the query is not well formed
  std::size_t at = 0;          ///< without a value: the byte where reading failed
  std::string wrong;           ///< without a value: the message
};

/// Reads one whole query. Refuses a text of more than 64 KiB.
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

/// Reads a property such as `bytes($x)`; nothing if the text is not a property.
inline std::optional<query_property> read_property(std::string_view whole) {
  return value_of<query_property>(query_property_, whole);
}

}  // namespace hlolint::grammar::queries
