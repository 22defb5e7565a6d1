// Modules, and the rule for a whole file (hlo_text.md 2).
#pragma once

#include <hlolint/grammar/hlo/computation.hpp>

namespace hlolint::grammar {

// ------------------------------------------------------------------ stack tables: all four or none
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
