// Where values come from in the program before optimization: origin, the recovery table, debug attributes
// (hlo_text.md 2, 7).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/shape_index.hpp>
#include <hlolint/grammar/x3/directives.hpp>
#include <hlolint/grammar/x3/fields.hpp>
#include <hlolint/grammar/x3/lists.hpp>
#include <hlolint/grammar/x3/tokens.hpp>
#include <hlolint/ir/operation_values.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint::grammar {

/// A tree whose leaves are original arrays. It has the structure of the result's shape.
struct origin_tree {
  std::vector<origin_tree> elements;
  original_array leaf;
  bool tuple = false;
};

namespace origin_rules {

inline void name_array(original_array& array, std::string_view quoted) {
  array.instruction = quoted.substr(1, quoted.size() - 2);
}
inline void add_leaves(original_value& value, const origin_tree& tree, hlolint::shape_index& position) {
  if (!tree.tuple) return value.leaves.push_back({position, tree.leaf});
  for (std::size_t i = 0; i != tree.elements.size(); ++i) {
    position.push_back(static_cast<std::uint32_t>(i));
    add_leaves(value, tree.elements[i], position);
    position.pop_back();
  }
}
inline void flatten(original_value& value, const origin_tree& tree) {
  hlolint::shape_index position;
  add_leaves(value, tree, position);
}
inline void name_calls(original_value& value, std::string_view quoted) {
  value.calls = quoted.substr(1, quoted.size() - 2);
}
inline void note_module(parse_state& s, std::string_view text, std::string_view) { s.embedded_modules.push_back(text); }

}  // namespace origin_rules

// {"instruction" {0}}   {"instruction"}   {}
inline constexpr auto original_array_ = rule<original_array>("original array") =
    '{' >>
    -(update<&origin_rules::name_array>[string] >> -(&x3::lit('{') >> into<&original_array::index>[shape_index])) >>
    must("an instruction's name, a shape index or '}'")['}'];

// ({"a" {0}}, ({"b"}, {}))
inline constexpr x3::rule<struct origin_tree_id, origin_tree> any_origin{"origin tree"};
inline constexpr auto any_origin_def =
    nested[&x3::lit('(') >> set<&origin_tree::tuple>(true) >>
           in_parentheses("'(' or an original array in braces",
                          "',' or ')'")[append<&origin_tree::elements>[any_origin]]] |
    into<&origin_tree::leaf>[original_array_];
BOOST_SPIRIT_DEFINE(any_origin)

// {({"a" {0}}, {"b"})}   {{"a"},["jit(f)/g"]}   {[synthetic_call]}   {}
inline constexpr auto origin = rule<original_value>("origin") =
    '{' >> ('[' >> must("synthetic_call")[keyword("synthetic_call")] >> set<&original_value::synthetic_call>(true) >>
                must("']'")[']'] |
            -(!x3::lit('}') >> must("'(' or an original array in braces")[update<&origin_rules::flatten>[any_origin]] >>
              -(',' >> must("the calls in brackets")['['] >>
                must("a string")[update<&origin_rules::name_calls>[string]] >> must("']'")[']']))) >>
    must("'}' after the origin")['}'];

// { {"old" {0}} : {"new"}, "module" }    no commas between the entries
inline constexpr auto recovery_entry = original_array_ >> must("':'")[':'] >>
                                       must("an original array")[original_array_] >>
                                       -(',' >>
                                         must("a module's text, quoted")[checked<&origin_rules::note_module>[string]]);
inline constexpr auto origin_recovery_table = '{' >> *recovery_entry >> must("an original array or '}'")['}'];

// {callback_id=1,op_id=2}
inline constexpr auto debug_attribute = by(attribute_name)(
    on("log_mode")[must("default or fusion_debugger")[one_of("default", "fusion_debugger")]],
    on("callback_id", "op_id")[must("an integer")[integer]], on("partitioned")[must("true or false")[boolean]]);
inline constexpr auto debug_value = '{' >> must("a debug attribute")[debug_attribute] % ',' >> must("',' or '}'")['}'];
// { {"name" {0}}:({op_id=1},{op_id=2}) }
inline constexpr auto debug_entry =
    original_array_ >> must("':'")[':'] >>
    must("debug attributes")[in_parentheses("debug attributes in braces, ',' or ')'")[debug_value] | debug_value];
inline constexpr auto debug_attributes = in_braces("an entry, ',' or '}'")[debug_entry];

template <>
inline constexpr auto attribute_rule<original_value> = reads<origin>("an origin in braces");

}  // namespace hlolint::grammar
