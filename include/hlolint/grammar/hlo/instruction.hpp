// Instructions, and the bodies that can stand in place of a computation's name (hlo_text.md 3, 4, 8).
#pragma once

#include <hlolint/grammar/hlo/literal.hpp>
#include <hlolint/grammar/hlo/recovery.hpp>
#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/x3/by.hpp>

namespace hlolint::grammar {

/// A shape. Its value is its number in the pool of the module.
inline constexpr auto shape_number = interned<&build::module_pools::shapes>(shape_outline)[any_shape];

inline constexpr x3::rule<struct rhs_id> rhs{"instruction"};
inline constexpr x3::rule<struct body_id> body{"body"};

// ------------------------------------------------------------------ operands
// operand = [ shape ] name { "#" int } | [ shape ] opcode "(" args ")" ;
inline constexpr auto element = '#' >>
                                must("the number of an element")[call<&of_instruction::operand_element>[integer]];
inline constexpr auto nested_rhs = part<&of_instruction::begin_nested, &of_instruction::end_nested>[nested[rhs]];
inline constexpr auto operand =
    part<&of_instruction::begin_operand>[-(!x3::lit('%') >> into<&operand_record::declared_shape>[shape_number])] >>
    must("an operand")[call<&of_instruction::operand_name>[operand_name] >> *element |
                       call<&of_instruction::operand_without_name>[&(x3::lit(',') | ')')] | nested_rhs];
// operands = [ operand { "," operand } ] ;
inline constexpr auto operands = -(!x3::lit(')') >> operand % ',');

// args = operands | int | literal ;    the number of a parameter, the literal of a constant
inline constexpr auto argument = call<&of_instruction::argument>;
inline constexpr auto constant = literal_of<&of_instruction::literal_shape> | unreadable_literal;
inline constexpr auto args = by(asked<&of_instruction::wanted_argument>)(
    on(build::argument_kind::number)[argument[must("a parameter number")[integer]]],
    on(build::argument_kind::literal)[argument[constant]], on(build::argument_kind::operands)[operands]);

// rhs = [ shape ] opcode "(" args ")" ;
inline constexpr auto rhs_def = -(!x3::lit('%') >> call<&of_instruction::result_shape>[shape_number]) >>
                                must("an opcode")[call<&of_instruction::opcode>[word]] >> must("'('")['('] >> args >>
                                must("',' or ')' after an operand")[')'];

// ------------------------------------------------------------------ attributes
// comp = name | body ;    comps = "{" [ comp { "," comp } ] "}" ;
inline constexpr auto called_computation = must("a computation")[body | call<&of_instruction::call_computation>[name]];
inline constexpr auto called_computations = must("a list of computations")['{'] >> -(called_computation % ',') >>
                                            must("',' or '}'")['}'];
// control-predecessors={%a, %b}
inline constexpr auto predecessors = must("a list of instructions")['{'] >>
                                     must("an instruction")[call<&of_instruction::control_predecessor>[name]] % ',' >>
                                     must("',' or '}'")['}'];

// attribute = attrname value ;
inline constexpr auto known_attribute =
    attribute_table(called_computation, called_computations, predecessors, literal_with_shape,
                    instruction_attribute_types{}, operation_attribute_types{});
inline constexpr auto attribute = attribute_of(known_attribute, unreadable_attribute);
/// After a comma something must follow.
inline constexpr auto no_comma = !x3::lit(',');
inline constexpr auto attributes = *(',' >> must("an attribute")[attribute]) >> no_comma;

// ------------------------------------------------------------------ instructions
// instruction = [ "ROOT" ] name "=" rhs { "," attribute } ;
inline constexpr auto instruction =
    part<&of_instruction::
             begin_instruction>[-(keyword("ROOT") >> set<&build::pending_instruction::marked_root>(true)) >>
                                must("an instruction or '}'")[into<&build::pending_instruction::name>[name]]] >>
    must("'='")['='] >> rhs >> attributes;
inline constexpr auto whole_instruction = call<&of_instruction::end_instruction>[instruction];

// body = "{" instruction { instruction } "}" ;    in place of a computation's name
inline constexpr auto body_def =
    nested[&x3::lit('{') >> part<&of_computation::begin_anonymous,
                                 &of_computation::end_anonymous>['{' >> +(!x3::lit('}') >> whole_instruction) >>
                                                                 must("an instruction or '}'")['}']]];
BOOST_SPIRIT_DEFINE(rhs, body)

}  // namespace hlolint::grammar
