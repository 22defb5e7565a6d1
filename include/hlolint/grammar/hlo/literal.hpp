// Literals (hlo_text.md 6). `literal_fit` compares the elements with the shape. Only the text is kept.
#pragma once

#include <hlolint/grammar/build/literal_fit.hpp>
#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/x3/by.hpp>

namespace hlolint::grammar {

using fit = literal_fit;

// scalar = "true" | "false" | int | decimal | inf | nan | "(" real "," real ")" ;    the last one of complex types
inline constexpr auto part_of_number = must("a number")[call<&fit::part>[number]];
inline constexpr auto complex_number = call<&fit::complex>[&x3::lit('(')] >>
                                       must("'(' before the parts of a complex number")['('] >> part_of_number >>
                                       must("',' between the parts of a complex number")[','] >> part_of_number >>
                                       must("')' after a complex number")[')'];
inline constexpr auto scalar =
    call<&fit::of_complex> >> complex_number | call<&fit::number>[number] | call<&fit::boolean>[text[boolean]];

// elided = "{...}" ;    the elements are left out
inline constexpr auto elided = '{' >> x3::lit("...") >> '}';

// array_lit = scalar | "{" { array_lit | "..." | "," } "}" ;    XLA does not look where the commas stand
inline constexpr x3::rule<struct array_lit_id> array_lit{"array literal"};
inline constexpr auto array_lit_def = nested[call<&fit::open>['{'] >> *(array_lit | call<&fit::rest>["..."] | ',') >>
                                             must("an element, '{' or '}'")[call<&fit::close>['}']]] |
                                      scalar;

/// A literal of which only the brackets are checked.
inline constexpr auto balanced_literal = must("a literal with balanced brackets")[balanced];

// tuple_lit = elided | "(" { literal [ "," ] } ")" ;
inline constexpr x3::rule<struct fitting_literal_id> fitting_literal{"literal"};
inline constexpr auto element_literal = !x3::lit(')') >> call<&fit::next_element> >> fitting_literal >> -x3::lit(',');
inline constexpr auto tuple_lit = elided | must("'(' before the elements of a tuple")['('] >> call<&fit::open_tuple> >>
                                               *element_literal >>
                                               must("')' after the elements of a tuple")[call<&fit::close_tuple>[')']];

// A number that is left out: XLA prints it so where a message has none (TensorFlow's, for example), but does not read
// it.
inline constexpr auto elided_scalar = call<&fit::of_scalar> >> elided;

// literal = tuple_lit | array_lit ;    the shape decides
inline constexpr auto fitting_literal_def = by(asked<&fit::wanted>)(
    on(literal_kind::of_unknown_type)[balanced_literal], on(literal_kind::tuple_elements)[nested[tuple_lit]],
    on(literal_kind::array_elements)[call<&fit::of_array> >> must("a literal")[elided_scalar | array_lit]]);
BOOST_SPIRIT_DEFINE(array_lit, fitting_literal)
/// If a literal does not fit its shape, the rest of it is skipped.
inline constexpr auto literal = fitting_literal | call<&fit::misfits> >> balanced_literal;

/// literal_of<&S::shape>: a literal that must fit the shape that the state S returns.
template <auto Shape>
struct literal_of_parser : parser_part, valued<x3::unused_type> {
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    fit measured((from<typename state_of_function<decltype(Shape)>::type>(context).*Shape)(),
                 from<parse_state>(context));
    return literal.parse(first, last, with(measured, shared_context(context)), x3::unused, x3::unused);
  }
};
template <auto Shape>
inline constexpr literal_of_parser<Shape> literal_of{};

/// `s32[2]{0} {1, 2}`: a literal after its shape, in the value of `literal=`
struct shaped_literal_parser : parser_part, valued<x3::unused_type> {
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    const char* p = first;
    shape type;
    if (!any_shape.parse(p, last, context, x3::unused, type)) return false;
    fit measured(type, from<parse_state>(context));
    if (!literal.parse(p, last, with(measured, context), x3::unused, x3::unused)) return false;
    first = p;
    return true;
  }
};
inline constexpr shaped_literal_parser shaped_literal{};
inline constexpr x3::rule<struct literal_with_shape_id> literal_with_shape{"literal with its shape"};
inline constexpr auto literal_with_shape_def =
    nested['(' >> -(literal_with_shape % ',') >> must("a shape, ',' or ')'")[')']] |
    !x3::lit('(') >> must("a shape")[shaped_literal];
BOOST_SPIRIT_DEFINE(literal_with_shape)

}  // namespace hlolint::grammar
