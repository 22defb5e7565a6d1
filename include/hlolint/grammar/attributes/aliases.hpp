// Which buffers are shared, and the layouts of the entry (hlo_text.md 2, 7: alias and its kin,
// entry_computation_layout).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/shape_index.hpp>
#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/attribute_values.hpp>

namespace hlolint::grammar {

namespace alias_rules {

// (1, {0}    a parameter of the entry or an operand, and an index into its shape
template <auto Number, auto Index>
inline constexpr auto place = must("'('")['('] >> must("an integer")[into<Number>[integer]] >> must("','")[','] >>
                              must("a shape index")[into<Index>[shape_index]];
inline constexpr auto entries = with_last_comma(in_braces("an entry, ',' or '}'"));

}  // namespace alias_rules

// {0}: (1, {}, may-alias)
inline constexpr auto alias_entry = rule<input_output_alias_entry>("alias entry") =
    into<&input_output_alias_entry::
             text>[text[into<&input_output_alias_entry::output>[shape_index] >> must("':'")[':'] >>
                        alias_rules::place<&input_output_alias_entry::parameter,
                                           &input_output_alias_entry::parameter_index> >>
                        -(',' >> must("may-alias or must-alias")[into<&input_output_alias_entry::must_alias>[one_of<
                                     bool>("may-alias", "must-alias")]]) >>
                        must("')'")[')']]];
// { {0}: (1, {}, may-alias), {1}: (2, {}) }    a comma may come before the closing brace, as in XLA
inline constexpr auto input_output_alias = rule<hlolint::input_output_alias>("input output alias") =
    alias_rules::entries[append<&hlolint::input_output_alias::entries>[alias_entry]];

// (0, {})
inline constexpr auto donor_entry = rule<buffer_donor_entry>("donor entry") =
    into<&buffer_donor_entry::text>[text[&x3::lit('(') >> alias_rules::place<&buffer_donor_entry::parameter,
                                                                             &buffer_donor_entry::parameter_index> >>
                                         must("')'")[')']]];
// { (0, {}), (1, {0}) }
inline constexpr auto buffer_donor = rule<hlolint::buffer_donor>("buffer donor") =
    alias_rules::entries[append<&hlolint::buffer_donor::entries>[donor_entry]];

// {0}: (1, {})
inline constexpr auto operand_alias = rule<operand_alias_entry>("operand alias") =
    into<&operand_alias_entry::text>[text[into<&operand_alias_entry::output>[shape_index] >> must("':'")[':'] >>
                                          alias_rules::place<&operand_alias_entry::operand,
                                                             &operand_alias_entry::operand_index> >>
                                          must("')'")[')']]];
// {{0}: (1, {}), {1}: (2, {})}
inline constexpr auto output_to_operand_aliasing =
    rule<hlolint::output_to_operand_aliasing>("output to operand aliasing") =
        alias_rules::entries[append<&hlolint::output_to_operand_aliasing::entries>[operand_alias]];

// {(shape, shape)->shape}
inline constexpr auto entry_computation_layout = rule<computation_layout>("entry computation layout") =
    '{' >> must("the parameters' shapes, in parentheses")[with_last_comma(
               in_parentheses("a shape, ',' or ')'"))[append<&computation_layout::parameters>[any_shape]]] >>
    must("'->'")["->"] >> must("the result's shape")[into<&computation_layout::result>[any_shape]] >> must("'}'")['}'];

// {shape, shape}
inline constexpr auto shapes = rule<operand_layout_constraints>("shapes") =
    in_braces("a shape, ',' or '}'")[append<&operand_layout_constraints::shapes>[any_shape]];

template <>
inline constexpr auto attribute_rule<hlolint::input_output_alias> =
    reads<input_output_alias>("aliases such as { {0}: (1, {}, may-alias) }");
template <>
inline constexpr auto attribute_rule<hlolint::buffer_donor> = reads<buffer_donor>("donors such as { (0, {}) }");
template <>
inline constexpr auto attribute_rule<hlolint::output_to_operand_aliasing> =
    reads<output_to_operand_aliasing>("aliases such as {{0}: (1, {})}");
template <>
inline constexpr auto attribute_rule<computation_layout> =
    reads<entry_computation_layout>("a layout such as {(f32[2]{0})->f32[2]{0}}");
template <>
inline constexpr auto attribute_rule<operand_layout_constraints> = reads<shapes>("shapes in braces");

}  // namespace hlolint::grammar
