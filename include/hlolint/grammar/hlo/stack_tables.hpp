// The stack tables after a header (hlo_text.md 2): all four or none.
#pragma once

#include <hlolint/grammar/hlo/instruction.hpp>

namespace hlolint::grammar {

/// `line=3`: one member of a row, and that it is written.
template <auto Member, unsigned Bit>
struct row_field_directive {
  template <class P, class Context, class Rule, class To>
  bool operator()(const P& p, const char*& first, const char* const& last, const Context& context, Rule& row, To&) const {
    if (!p.parse(first, last, context, row, row.record.*Member)) return false;
    row.seen |= 1u << Bit;
    return true;
  }
};
template <auto Member, unsigned Bit>
inline constexpr auto row_field = directive<row_field_directive<Member, Bit>>{}[must("an integer")[integer]];

/// `{file_name_id=1 function_name_id=1 line=2 end_line=2 column=3 end_column=4}`
using location_row = build::written_row<file_location_record>;
inline constexpr auto file_location = rule<location_row>("file location") =
    '{' >> *(by(attribute_name)(on("file_name_id")[row_field<&file_location_record::file_name_id, 0>],
                                on("function_name_id")[row_field<&file_location_record::function_name_id, 1>],
                                on("line")[row_field<&file_location_record::line, 2>],
                                on("end_line")[row_field<&file_location_record::end_line, 3>],
                                on("column")[row_field<&file_location_record::column, 4>],
                                on("end_column")[row_field<&file_location_record::end_column, 5>]) >> -x3::lit(',')) >>
    must("an attribute of a file location or '}'")['}'];
/// `{file_location_id=1 parent_frame_id=1}`
using frame_row = build::written_row<stack_frame_record>;
inline constexpr auto stack_frame = rule<frame_row>("stack frame") =
    '{' >> *(by(attribute_name)(on("file_location_id")[row_field<&stack_frame_record::file_location_id, 0>],
                                on("parent_frame_id")[row_field<&stack_frame_record::parent_frame_id, 1>]) >> -x3::lit(',')) >>
    must("an attribute of a stack frame or '}'")['}'];

inline constexpr auto stack_tables = rare<>("stack tables") = [] {
  return keyword("FileNames") >> to<&builder::begin_tables>[x3::eps] >> *(integer >> must("a file name")[to<&builder::file_name>[string]]) >>
    must("FunctionNames")[keyword("FunctionNames")] >> *(integer >> must("a function name")[to<&builder::function_name>[string]]) >>
    must("FileLocations")[keyword("FileLocations")] >> *(integer >> must("'{'")[to<&builder::file_location>[alone[file_location]]]) >>
    must("StackFrames")[keyword("StackFrames")] >> *(integer >> must("'{'")[to<&builder::stack_frame>[alone[stack_frame]]]);
};

}  // namespace hlolint::grammar
