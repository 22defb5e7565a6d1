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
#include <hlolint/text/record_list.hpp>

#include <utility>

namespace hlolint::grammar {

namespace alias_rules {

// (1, {0}: an entry's parameter or operand, and an index into it
template <auto Number, auto Index>
inline constexpr auto place = must("'('")['('] >> must("an integer")[into<Number>[integer]] >> must("','")[','] >>
                              must("a shape index")[into<Index>[shape_index]];
inline constexpr const char* expected = "an entry, ',' or '}'";

}  // namespace alias_rules

// {0}: (1, {}, may-alias)
inline constexpr auto alias_entry = rule<input_output_alias_entry> = [](auto) {
  return into<
      &input_output_alias_entry::text>[text[into<&input_output_alias_entry::output>[shape_index] >> must("':'")[':'] >>
                                            alias_rules::place<&input_output_alias_entry::parameter,
                                                               &input_output_alias_entry::parameter_index> >>
                                            -(',' >> must("may-alias or must-alias")
                                                         [into<&input_output_alias_entry::must_alias>[enumerator<bool>(
                                                             "may-alias", "must-alias")]]) >>
                                            must("')'")[')']]];
};
// { {0}: (1, {}, may-alias), {1}: (2, {}) }: a comma before the closing brace is taken, as XLA does
inline constexpr auto input_output_alias = rule<hlolint::input_output_alias> = [](auto) {
  return in_braces_with_last_comma(alias_rules::expected)[append<&hlolint::input_output_alias::entries>[alias_entry]];
};

// (0, {})
inline constexpr auto donor_entry = rule<buffer_donor_entry> = [](auto) {
  return into<
      &buffer_donor_entry::text>[text[&x3::lit('(') >> alias_rules::place<&buffer_donor_entry::parameter,
                                                                          &buffer_donor_entry::parameter_index> >>
                                      must("')'")[')']]];
};
// { (0, {}), (1, {0}) }
inline constexpr auto buffer_donor = rule<hlolint::buffer_donor> = [](auto) {
  return in_braces_with_last_comma(alias_rules::expected)[append<&hlolint::buffer_donor::entries>[donor_entry]];
};

// {0}: (1, {})
inline constexpr auto operand_alias = rule<operand_alias_entry> = [](auto) {
  return into<&operand_alias_entry::text>[text[into<&operand_alias_entry::output>[shape_index] >> must("':'")[':'] >>
                                               alias_rules::place<&operand_alias_entry::operand,
                                                                  &operand_alias_entry::operand_index> >>
                                               must("')'")[')']]];
};
// {{0}: (1, {}), {1}: (2, {})}
inline constexpr auto output_to_operand_aliasing = rule<hlolint::output_to_operand_aliasing> = [](auto) {
  return in_braces_with_last_comma(
      alias_rules::expected)[append<&hlolint::output_to_operand_aliasing::entries>[operand_alias]];
};

// {(shape, shape)->shape}
inline constexpr auto entry_computation_layout = rule<computation_layout> = [](auto) {
  return '{' >> must("the parameters' shapes, in parentheses")[in_parentheses_with_last_comma(
                    "a shape, ',' or ')'")[append<&computation_layout::parameters>[any_shape]]] >>
         must("'->'")["->"] >> must("the result's shape")[into<&computation_layout::result>[any_shape]] >>
         must("'}'")['}'];
};

// {shape, shape}
inline constexpr auto shapes =
    rule<record_list<hlolint::shape>> = [](auto) { return in_braces("a shape, ',' or '}'")[each[any_shape]]; };

template <>
struct attribute_rule<hlolint::input_output_alias> : reads<input_output_alias> {
  static constexpr const char* expected = "aliases such as { {0}: (1, {}, may-alias) }";
};
template <>
struct attribute_rule<hlolint::buffer_donor> : reads<buffer_donor> {
  static constexpr const char* expected = "donors such as { (0, {}) }";
};
template <>
struct attribute_rule<hlolint::output_to_operand_aliasing> : reads<output_to_operand_aliasing> {
  static constexpr const char* expected = "aliases such as {{0}: (1, {})}";
};
template <>
struct attribute_rule<computation_layout> : reads<entry_computation_layout> {
  static constexpr const char* expected = "a layout such as {(f32[2]{0})->f32[2]{0}}";
};
template <>
struct attribute_rule<operand_layout_constraints> : reads<shapes> {
  static constexpr const char* expected = "shapes in braces";
  static operand_layout_constraints value(record_list<hlolint::shape>&& list) { return {std::move(list)}; }
};

}  // namespace hlolint::grammar
