// Modules, and the rule for a whole file (hlo_text.md 2).
#pragma once

#include <hlolint/grammar/hlo/computation.hpp>
#include <hlolint/grammar/hlo/stack_tables.hpp>

namespace hlolint::grammar {

// ------------------------------------------------------------------ headers
inline constexpr auto module_attr = attribute_of(header_attribute, kept_as_text);
// header = "HloModule" name { "," module_attr } ;
inline constexpr auto header =
    call<&of_module::end_header>[keyword("HloModule") >>
                                 must("the module's name")[call<&of_module::module_name>[name]] >>
                                 *(',' >> must("a module attribute")[module_attr]) >> !x3::lit(',')];
inline constexpr auto header_or_lost = or_lost<&of_module::lost_header>(header, keyword("FileNames") | next_head);
inline constexpr auto tables = or_lost<&of_module::lost_tables>(stack_tables, next_head);

// ------------------------------------------------------------------ one instruction alone
// single = instruction | rhs { "," attribute } ;    without a name it begins with its result shape
inline constexpr auto nameless_ahead = &(shape_outline >> word);
inline constexpr auto nameless =
    call<&of_instruction::end_nameless>[part<&of_instruction::begin_instruction>[rhs >> attributes]];
inline constexpr auto is_separated = call<&of_module::is_separated>;
inline constexpr auto after_single = x3::eoi | &is_separated | call<&of_module::text_after_single> >> *line;
inline constexpr auto single =
    (&instruction_ahead >> !lost_its_head | nameless_ahead) >> call<&of_module::begin_single> >>
    (call<&of_module::end_single>[&instruction_ahead >> whole_instruction | !instruction_ahead >> nameless] >>
         after_single |
     call<&of_module::lost_single> >> *line);

// ------------------------------------------------------------------ files
inline constexpr auto computations = *(!(x3::eoi | keyword("HloModule") | is_separated) >> computation);
// module = [ header ] [ stack_tables ] { computation } | single ;
inline constexpr auto tables_ahead = &keyword("FileNames");
inline constexpr auto module_ = call<&of_module::begin_module> >>
                                (&keyword("HloModule") >> header_or_lost >> -(tables_ahead >> tables) >> computations |
                                 tables_ahead >> call<&of_module::header_missing> >> tables >> computations | single |
                                 computations) >>
                                call<&of_module::end_module>;
/// The first lines of lit tests.
inline constexpr auto hash_lines = *('#' >> line);
inline constexpr auto byte_order_mark = -x3::lit("\xEF\xBB\xBF");
/// Some instructions without the computation around them, as people paste them: `logs::text_parts` finds such lines.
inline constexpr auto fragment =
    byte_order_mark >> call<&of_module::begin_fragment> >> instructions >>
    *(!x3::eoi >> line >> instructions) >> call<&of_module::end_fragment> >> call<&of_module::end_file>;
inline constexpr auto file = byte_order_mark >> hash_lines >> *(!x3::eoi >> module_) >> call<&of_module::end_file>;

}  // namespace hlolint::grammar
