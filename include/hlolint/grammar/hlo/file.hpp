// Modules, and the rule for a whole file (hlo_text.md 2, 12).
#pragma once

#include <hlolint/grammar/hlo/computation.hpp>
#include <hlolint/grammar/hlo/stack_tables.hpp>

namespace hlolint::grammar {

// ------------------------------------------------------------------ headers
inline constexpr auto unreadable_header_attribute = to<&builder::unreadable_attribute>[any_attribute];
inline constexpr auto module_attr = rare<>("module attr") = [] {
  return to<&builder::begin_attribute>[x3::eps] >>
                                    (to<&builder::keep_attribute>[header_attribute] | unreadable_header_attribute);
};
/// `HloModule name {, attribute}`
inline constexpr auto header = rare<>("header") = [] {
  return to<&builder::end_header>[text[keyword("HloModule") >> must("the module's name")[to<&builder::module_name>[name]] >>
                                  *(',' >> must("a module attribute")[module_attr]) >> !x3::lit(',')]];
};
/// After a header that cannot be read: at the stack tables or at the next computation.
inline constexpr auto lost_header = rare<>("lost header") = [] {
  return to<&builder::begin_lost_header>[here] >> line >> *(line - (keyword("FileNames") | next_head | x3::eoi)) >>
    (x3::eoi >> to<&builder::header_lost_to_the_end>[x3::eps] | to<&builder::end_lost_header>[x3::eps]);
};

inline constexpr auto tables = rare<>("tables") = [] {
  return to<&builder::end_tables>[text[stack_tables]] |
    to<&builder::begin_lost_tables>[here] >> line >> *(line - (next_head | x3::eoi)) >>
        (x3::eoi >> to<&builder::tables_lost_to_the_end>[x3::eps] | to<&builder::end_lost_tables>[x3::eps]);
};
inline constexpr auto tables_ahead = &keyword("FileNames");

// ------------------------------------------------------------------ one instruction alone
/// `name = ...`, unless a line after it closes a body: then it is the first of a computation whose head is missing.
inline constexpr auto lost_its_head = rare<>("lost its head") = [] {
  return &(line >> *(line - (to<&builder::on_margin>[here] >> (separator | keyword("HloModule") | '}' | head_ahead) | x3::eoi)) >>
                                        !x3::eoi >> !separator >> !keyword("HloModule") >> ('}' | head_ahead));
};
inline constexpr auto nameless_ahead = &(shape_outline >> word);
inline constexpr auto single = rare<>("single") = [] {
  return (&instruction_ahead >> !lost_its_head | nameless_ahead) >> to<&builder::begin_single>[here] >>
    (to<&builder::end_single>[text[to<&builder::end_instruction>[text[&instruction_ahead >> instruction]] |
                                   to<&builder::end_nameless>[text[!instruction_ahead >> to<&builder::begin_instruction>[here] >> rhs >> attributes]]]] >>
         (x3::eoi | &to<&builder::is_separated>[here] | to<&builder::text_after_single>[here] >> *line) |
     to<&builder::lost_single>[here] >> *line);
};

// ------------------------------------------------------------------ files
inline constexpr auto computations = rule<>("computations") = [] {
  return *(!(x3::eoi | keyword("HloModule") | to<&builder::is_separated>[here]) >> computation);
};
inline constexpr auto module_ = rule<>("module") = [] {
  return to<&builder::begin_module>[here] >>
    (&keyword("HloModule") >> (header | lost_header) >> -(tables_ahead >> tables) >> computations |
     tables_ahead >> to<&builder::header_missing>[here] >> tables >> computations |
     single |
     computations) >>
    to<&builder::end_module>[x3::eps];
};

/// Lit tests in the manner of Python begin with such lines.
inline constexpr auto hash_lines = *('#' >> line);
inline constexpr auto byte_order_mark = -x3::lit("\xEF\xBB\xBF");
inline constexpr auto file = byte_order_mark >> hash_lines >> *(!x3::eoi >> module_) >> to<&builder::end_file>[x3::eps];

}  // namespace hlolint::grammar
