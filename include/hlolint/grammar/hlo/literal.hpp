// Literals (hlo_text.md 6). What is read is measured against a shape by literal_fit; nothing is kept but the text.
#pragma once

#include <hlolint/grammar/hlo/literal_fit.hpp>
#include <hlolint/grammar/hlo/shape.hpp>

namespace hlolint::grammar {

using fit = literal_fit;

/// `true`, `1`, `-1.5e-05`, `nan(0x1)`, and `(1, 2)` of complex types
inline constexpr auto complex_number =
    to<&fit::of_complex>[x3::eps] >> to<&fit::complex>[&x3::lit('(')] >> must("'(' before the parts of a complex number")['('] >>
    must("a number")[to<&fit::part>[number]] >> must("',' between the parts of a complex number")[','] >>
    must("a number")[to<&fit::part>[number]] >> must("')' after a complex number")[')'];
inline constexpr auto scalar = complex_number | to<&fit::number>[number] | to<&fit::boolean>[text[boolean]];

/// `{...}`: the elements are left out
inline constexpr auto elided = '{' >> x3::lit("...") >> '}';

/// `{{1, 2}, {3, 4}}`, `{1, ...}`; XLA does not look where the commas stand
inline constexpr x3::rule<struct array_lit_id> array_lit{"array literal"};
inline constexpr auto array_lit_def =
    nested[to<&fit::open>[text['{']] >> *(array_lit | to<&fit::rest>[text["..."]] | ',') >>
           must("an element, '{' or '}'")[to<&fit::close>[text['}']]]] |
    scalar;

/// Of which only the brackets are looked at.
inline constexpr auto balanced_literal = must("a literal with balanced brackets")[balanced];

/// `(1, {2, 3})`; a comma may be missing
inline constexpr x3::rule<struct fitting_literal_id> fitting_literal{"literal"};
inline constexpr auto tuple_lit =
    elided | must("'(' before the elements of a tuple")['('] >> to<&fit::open_tuple>[x3::eps] >>
                 *(!x3::lit(')') >> to<&fit::next_element>[text[x3::eps]] >> fitting_literal >> -x3::lit(',')) >>
                 must("')' after the elements of a tuple")[to<&fit::close_tuple>[text[')']]];
inline constexpr auto fitting_literal_def =
    to<&fit::of_unknown_type>[x3::eps] >> balanced_literal |
    !to<&fit::of_unknown_type>[x3::eps] >> (to<&fit::of_tuple>[x3::eps] >> nested[tuple_lit] |
                                            !to<&fit::of_tuple>[x3::eps] >> to<&fit::of_array>[text[x3::eps]] >> must("a literal")[array_lit]);
BOOST_SPIRIT_DEFINE(array_lit, fitting_literal)

/// A literal. Of one that does not fit its shape, the rest is passed over.
inline constexpr auto literal = fitting_literal | to<&fit::misfits>[x3::eps] >> balanced_literal;

/// literal_of<&S::shape>: a literal that has to fit a shape, which the state S gives.
template <auto Shape>
struct literal_of_parser : x3::parser<literal_of_parser<Shape>>, valued<x3::unused_type> {
  static constexpr bool handles_container = false;
  template <class Context, class Rule, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, Rule&, To&) const {
    fit measured((from<typename state_of_function<decltype(Shape)>::type>(context).*Shape)(), from<parse_state>(context));
    return literal.parse(first, last, with(measured, shared_context(context)), x3::unused, x3::unused);
  }
};
template <auto Shape>
inline constexpr literal_of_parser<Shape> literal_of{};

/// `s32[2]{0} {1, 2}`, or a tuple of such in parentheses: the value of `literal=`
struct shaped_literal_parser : x3::parser<shaped_literal_parser>, valued<x3::unused_type> {
  static constexpr bool handles_container = false;
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
    nested['(' >> -(literal_with_shape % ',') >> must("a shape, ',' or ')'")[')']] | !x3::lit('(') >> must("a shape")[shaped_literal];
BOOST_SPIRIT_DEFINE(literal_with_shape)

}  // namespace hlolint::grammar
