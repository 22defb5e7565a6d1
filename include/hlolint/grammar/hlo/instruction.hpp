// Instructions, and the bodies that may stand in place of a computation's name (hlo_text.md 3, 4, 8).
#pragma once

#include <hlolint/grammar/attributes/table.hpp>
#include <hlolint/grammar/build/module_builder.hpp>
#include <hlolint/grammar/hlo/literal.hpp>
#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/x3/by.hpp>
#include <hlolint/grammar/x3/names.hpp>

namespace hlolint::grammar {

using builder = build::module_builder;

/// The place itself, after blanks: for functions that want to know where something begins.
inline constexpr auto here = text[x3::eps];

/// A shape, as its number in the pool of the module.
inline constexpr auto shape_number = interned<&builder::shapes>(shape_outline)[any_shape];

/// `[ROOT] name =`: what an instruction begins with
inline constexpr auto instruction_ahead = -keyword("ROOT") >> (percent_name | bare_name) >> '=';

inline constexpr x3::rule<struct rhs_id> rhs{"instruction"};
inline constexpr x3::rule<struct body_id> body{"body"};

// ------------------------------------------------------------------ operands
/// `f32[2] %a`, `a#0#1`, `add(%a, %b)`
inline constexpr auto nested_rhs = rare<>("nested instruction") = [] {
  return to<&builder::begin_nested>[here] >> nested[to<&builder::end_nested>[text[rhs]]];
};
inline constexpr auto element = '#' >> must("the number of an element")[to<&builder::operand_element>[integer]];
inline constexpr auto operand = rule<>("operand") = [] {
  return to<&builder::begin_operand>[here] >> -(!x3::lit('%') >> to<&builder::operand_shape>[shape_number]) >>
    must("an operand")[to<&builder::operand_name>[operand_name] >> *element |
                       &(x3::lit(',') | ')') >> to<&builder::operand_without_name>[here] |
                       nested_rhs];
};
inline constexpr auto operands = -(!x3::lit(')') >> operand % ',');

/// What stands in the parentheses: `0` of a parameter, a literal of a constant, operands of all others.
inline constexpr auto unreadable_literal = to<&builder::unreadable_literal>[text[balanced >> &x3::lit(')')]];
inline constexpr auto args = rule<>("args") = [] {
  const auto open = must("'('")['('];
  return by(passing<&builder::opcode>[word])(
      on("parameter")[open >> to<&builder::argument>[text[must("a parameter number")[integer]]]],
      on("constant")[open >> to<&builder::argument>[text[literal_of<&builder::literal_shape> | unreadable_literal]]],
      otherwise[open >> operands]);
};
/// `[shape] opcode(args)`
inline constexpr auto rhs_def =
    -(!x3::lit('%') >> to<&builder::result_shape>[shape_number]) >> must("an opcode")[args] >>
    must("',' or ')' after an operand")[')'];

// ------------------------------------------------------------------ attributes
inline constexpr auto computation_name = to<&builder::call>[name];
inline constexpr auto called_computation = must("a computation")[body | computation_name];
inline constexpr auto called_computations =
    must("a list of computations")['{'] >> -(called_computation % ',') >> must("',' or '}'")['}'];
inline constexpr auto predecessors = must("a list of instructions")['{'] >>
                                     must("an instruction")[to<&builder::control_predecessor>[name]] % ',' >> must("',' or '}'")['}'];

/// `key=value`, whatever it is
inline constexpr auto any_attribute = by(attribute_head)(otherwise[balanced]);
/// A value that cannot be read costs only itself: it is reported and kept as text.
inline constexpr auto value_end = &(x3::lit(',') | '}' | x3::eoi | instruction_ahead);
inline constexpr auto unreadable_attribute = to<&builder::may_be_unreadable>[here] >>
                                             &(until_failure[any_attribute] >> value_end) >>
                                             to<&builder::unreadable_attribute>[any_attribute];
inline constexpr auto known_attribute = attribute_table(called_computation, called_computations, predecessors);
inline constexpr auto attribute = rule<>("attribute") = [] {
  return to<&builder::begin_attribute>[x3::eps] >> (to<&builder::keep_attribute>[known_attribute] | unreadable_attribute);
};
/// A comma commits: something must follow it.
inline constexpr auto no_comma = !x3::lit(',');
inline constexpr auto attributes = *(',' >> must("an attribute")[attribute]) >> no_comma;

// ------------------------------------------------------------------ instructions
/// `[ROOT] name = [shape] opcode(args) {, attribute}`
inline constexpr auto instruction = rule<>("instruction") = [] {
  return to<&builder::begin_instruction>[here] >> -(keyword("ROOT") >> to<&builder::mark_root>[x3::eps]) >>
    must("an instruction or '}'")[to<&builder::instruction_name>[name]] >> must("'='")['='] >> rhs >> attributes;
};

/// `{ instruction {instruction} }` in place of a name
inline constexpr auto nested_instruction = !x3::lit('}') >> to<&builder::end_instruction>[text[instruction]];
inline constexpr auto body_def = nested[to<&builder::end_anonymous>[text[to<&builder::begin_anonymous>[text['{']] >> +nested_instruction >>
                                                                         must("an instruction or '}'")['}']]]];
BOOST_SPIRIT_DEFINE(rhs, body)

}  // namespace hlolint::grammar
