// The stack tables after a header (hlo_text.md 2): all four or none.
#pragma once

#include <hlolint/grammar/hlo/instruction.hpp>

namespace hlolint::grammar {

/// field<&record::line, 2>: reads the 3 of `line=3`, and marks the field with number 2 as written.
template <auto Member, unsigned Bit>
struct field_directive {
  template <class P>
  struct parser : directed<P, field_directive> {
    template <class Context, class Rule, class To>
    bool parse(const char*& first, const char* const& last, const Context& context, Rule& row, To&) const {
      if (!this->subject.parse(first, last, context, row, row.record.*Member)) return false;
      row.seen |= 1u << Bit;
      return true;
    }
  };
};
template <auto Member, unsigned Bit>
inline constexpr auto field = directive<field_directive<Member, Bit>>{}[must("an integer")[int32]];

// "{file_name_id=" INT "function_name_id=" INT "line=" INT "end_line=" INT "column=" INT "end_column=" INT "}"
inline constexpr auto file_location = rule<build::written_row<file_location_record>>("file location") =
    '{' >> *(by(attribute_name)(on("file_name_id")[field<&file_location_record::file_name_id, 0>],
                                on("function_name_id")[field<&file_location_record::function_name_id, 1>],
                                on("line")[field<&file_location_record::line, 2>],
                                on("end_line")[field<&file_location_record::end_line, 3>],
                                on("column")[field<&file_location_record::column, 4>],
                                on("end_column")[field<&file_location_record::end_column, 5>]) >>
             -x3::lit(',')) >>
    must("an attribute of a file location or '}'")['}'];
// "{file_location_id=" INT "parent_frame_id=" INT "}"
inline constexpr auto stack_frame = rule<build::written_row<stack_frame_record>>("stack frame") =
    '{' >> *(by(attribute_name)(on("file_location_id")[field<&stack_frame_record::file_location_id, 0>],
                                on("parent_frame_id")[field<&stack_frame_record::parent_frame_id, 1>]) >>
             -x3::lit(',')) >>
    must("an attribute of a stack frame or '}'")['}'];

// table = title { INT row } ;
template <auto Keep, class Row>
constexpr auto table_of(const char* title, const char* expected, const Row& row) {
  return must(title)[keyword(title)] >> *(integer >> must(expected)[call<Keep>[row]]);
}
inline constexpr auto file_names = table_of<&of_module::file_name>("FileNames", "a file name", string);
inline constexpr auto function_names = table_of<&of_module::function_name>("FunctionNames", "a function name", string);
inline constexpr auto file_locations =
    table_of<&of_module::file_location>("FileLocations", "'{'", without_state[file_location]);
inline constexpr auto stack_frames =
    table_of<&of_module::stack_frame>("StackFrames", "'{'", without_state[stack_frame]);
inline constexpr auto stack_tables =
    &keyword("FileNames") >> part<&of_module::begin_tables, &of_module::end_tables>[file_names >> function_names >>
                                                                                    file_locations >> stack_frames];

}  // namespace hlolint::grammar
