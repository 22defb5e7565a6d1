// Instructions, and the bodies that can stand in place of a computation's name (hlo_text.md 3, 4, 8).
#pragma once

#include <hlolint/grammar/hlo/literal.hpp>
#include <hlolint/grammar/hlo/recovery.hpp>
#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/x3/by.hpp>

namespace hlolint::grammar {

/// A shape. Its value is its number in the pool of the module.
inline constexpr auto shape_number = interned<&builder::shapes>(shape_outline)[any_shape];

inline constexpr x3::rule<struct rhs_id> rhs{"instruction"};
inline constexpr x3::rule<struct body_id> body{"body"};

// ------------------------------------------------------------------ operands
// operand = [ shape ] name { "#" int } | [ shape ] opcode "(" args ")" ;
inline constexpr auto element = '#' >> must("the number of an element")[call<&builder::operand_element>[integer]];
inline constexpr auto nested_rhs = part<&builder::begin_nested, &builder::end_nested>[nested[rhs]];
inline constexpr auto operand = rule<> = [](auto) {
  return part<&builder::begin_operand>[-(!x3::lit('%') >> into<&operand_record::declared_shape>[shape_number])] >>
         must("an operand")[call<&builder::operand_name>[operand_name] >> *element |
                            call<&builder::operand_without_name>[&(x3::lit(',') | ')')] | nested_rhs];
};
// operands = [ operand { "," operand } ] ;
inline constexpr auto operands = -(!x3::lit(')') >> operand % ',');

// args = operands | int | literal ;    the number of a parameter, the literal of a constant
inline constexpr auto argument = call<&builder::argument>;
inline constexpr auto constant = literal_of<&builder::literal_shape> | unreadable_literal;
inline constexpr auto args = rule<> = [](auto) {
  using kind = build::argument_kind;
  return by(asked<&builder::wanted_argument>)(on(kind::number)[argument[must("a parameter number")[integer]]],
                                              on(kind::literal)[argument[constant]], on(kind::operands)[operands]);
};

// rhs = [ shape ] opcode "(" args ")" ;
inline constexpr auto rhs_def = -(!x3::lit('%') >> call<&builder::result_shape>[shape_number]) >>
                                must("an opcode")[call<&builder::opcode>[word]] >> must("'('")['('] >> args >>
                                must("',' or ')' after an operand")[')'];

// ------------------------------------------------------------------ attributes
// comp = name | body ;    comps = "{" [ comp { "," comp } ] "}" ;
inline constexpr auto called_computation = must("a computation")[body | call<&builder::call_computation>[name]];
inline constexpr auto called_computations = must("a list of computations")['{'] >> -(called_computation % ',') >>
                                            must("',' or '}'")['}'];
// control-predecessors={%a, %b}
inline constexpr auto predecessors = must("a list of instructions")['{'] >>
                                     must("an instruction")[call<&builder::control_predecessor>[name]] % ',' >>
                                     must("',' or '}'")['}'];

// attribute = attrname value ;
inline constexpr auto known_attribute =
    attribute_table(called_computation, called_computations, predecessors, literal_with_shape,
                    instruction_attribute_types{}, operation_attribute_types{});
inline constexpr auto attribute = rule<> = [](auto) { return attribute_of(known_attribute, unreadable_attribute); };
/// After a comma something must follow.
inline constexpr auto no_comma = !x3::lit(',');
inline constexpr auto attributes = *(',' >> must("an attribute")[attribute]) >> no_comma;

// ------------------------------------------------------------------ instructions
// instruction = [ "ROOT" ] name "=" rhs { "," attribute } ;
inline constexpr auto instruction = rule<> = [](auto) {
  using build::pending_instruction;
  return part<&builder::begin_instruction>[-(keyword("ROOT") >> set<&pending_instruction::marked_root>(true)) >>
                                           must("an instruction or '}'")[into<&pending_instruction::name>[name]]] >>
         must("'='")['='] >> rhs >> attributes;
};
inline constexpr auto whole_instruction = call<&builder::end_instruction>[instruction];

// body = "{" instruction { instruction } "}" ;    in place of a computation's name
inline constexpr auto body_def =
    nested[&x3::lit('{') >>
           part<&builder::begin_anonymous, &builder::end_anonymous>['{' >> +(!x3::lit('}') >> whole_instruction) >>
                                                                    must("an instruction or '}'")['}']]];
BOOST_SPIRIT_DEFINE(rhs, body)

}  // namespace hlolint::grammar
