// The section `Used values:` (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>
#include <hlolint/grammar/buffers/instruction_scan.hpp>

namespace hlolint::grammar::dump {

/// `  fusion.1 {0}`
inline constexpr auto position = rule<value_position>("position") =
    "  " >> must("the name of an instruction")[into<&value_position::instruction>[name]] >>
    -(' ' >> into<&value_position::index>[index]) >> must("an index or the end of the line")[eol];
inline constexpr auto positions = " positions:" >> eol >>
                                  lines("  ",
                                        "'  INSTRUCTION {INDEX}' or ' uses:'")[append<&read_dump::positions>[position]];

/// `  add.3, operand 1 {0}`
inline constexpr auto use = rule<value_use>("use") =
    "  " >> must("the name of an instruction")[into<&value_use::instruction>[name]] >>
    must("', operand '")[", operand "] >> must("the number of an operand")[into<&value_use::operand>[number]] >>
    -(' ' >> into<&value_use::index>[index]) >> must("an index or the end of the line")[eol];
inline constexpr auto uses =
    " uses:" >> eol >>
        ("  (none)" >> eol |
         lines("  ",
               "'  INSTRUCTION, operand NUMBER {INDEX}' or ' from instruction:'")[append<&read_dump::uses>[use]]) |
    " uses are not initialized yet." >> eol
        >> last_of<&read_dump::used_values>[set<&hlolint::used_value::uses_known>(false)];

/// The text of an instruction, which may have several lines. Older dumps of TPUs have no blank before it. XLA of 2024
/// did not end the line of each value but the last.
inline constexpr auto from_instruction =
    " from instruction:" >> -x3::lit(' ') >>
    must("an instruction")[last_of<&read_dump::used_values>[into<
        &hlolint::used_value::from_instruction>[token<&scan::lines::instruction_text>{}]]] >>
    (&x3::lit('<') | call<&dump_state::free_text_ends>[eol]);

inline constexpr auto positions_of_value =
    owns<&read_dump::used_values, &read_dump::positions, &hlolint::used_value::first_position,
         &hlolint::used_value::position_count>;
inline constexpr auto uses_of_value =
    owns<&read_dump::used_values, &read_dump::uses, &hlolint::used_value::first_use, &hlolint::used_value::use_count>;

inline constexpr auto used_value_line = rule<hlolint::used_value>("used value line") =
    on_line<&hlolint::used_value::text>[into<&hlolint::used_value::name>[value_id] >> must("the end of the line")[eol]];
inline constexpr auto used_value = append<&read_dump::used_values>[used_value_line] >>
                                   set<&read_dump::has_used_values>(true) >> call<&dump_state::close> >>
                                   positions_of_value[positions | missing("' positions:'")] >>
                                   uses_of_value[uses | missing("' uses:'")] >>
                                   (from_instruction | missing("' from instruction:'"));
/// The rest of a value after a line that cannot be read.
inline constexpr auto used_value_part = when<&read_dump::has_used_value> >>
                                        (positions_of_value[positions] | uses_of_value[uses] | from_instruction);

inline constexpr auto values = "Used values:" >> eol >>
                               set<&read_dump::has_used_values>(true) >> call<&dump_state::close> >> *used_value;

}  // namespace hlolint::grammar::dump
