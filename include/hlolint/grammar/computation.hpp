// What stands around the instructions: heads and ends of computations, module headers, stack tables (hlo_text.md 2, 3).
#pragma once

#include <hlolint/grammar/instruction.hpp>
#include <hlolint/text/say.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace hlolint::grammar {

namespace computation_rules {

inline void entry(module_builder& b, const char*) { b.computation().record.entry = true; }
inline void name(module_builder& b, std::string_view text) {
  b.computation().name = text;
  b.computation().record.name = b.at(text);
}
inline void signature_text(module_builder& b, std::string_view text) { b.computation().record.signature = b.at(text); }
inline void result(module_builder& b, id shape_number) { b.computation().declared_result = shape_number; }

inline constexpr auto parameter = must("a parameter name")[instruction_name] >> maybe[':'_p] >> must("a shape")[interned_shape];
inline constexpr auto signature = '('_p >> maybe[!')'_p >> comma_separated[parameter]] >> must("',' or ')' after a parameter")[')'_p] >>
                                  must("'->'")[arrow] >> must("a result shape")[on<&result>[interned_shape]];

}  // namespace computation_rules

/// `[ENTRY] name [(p: shape) -> shape] {`
inline constexpr auto computation_head = [] {
  using namespace computation_rules;
  return maybe[keyword("ENTRY") >> at<&entry>] >> must("a computation")[on<&name>[instruction_name]] >>
         maybe[on<&signature_text>[text_of[signature]]] >> must("'{' before the instructions")['{'_p];
}();

/// One `key=value` of a header or after a closing brace. Its kind must be known beforehand.
template <class Builder>
bool read_outer_attribute(const char*& first, const char* last, Builder& b, std::optional<attribute_syntax> (*syntax_of_key)(attribute_key)) {
  std::string_view name;
  if (!parse_with(attribute_name, first, last, b, name)) return false;
  const attribute_key key = find_attribute_key(name);
  const auto syntax = syntax_of_key(key);
  for (const attribute_record& other : b.attributes)
    if (b.written(other.name) == name)
      b.broke(name, say({"attribute ", name, " stands here twice"}), b.written(other.name), "the first one");
  if (!syntax) {
    if (key == attribute_key::unknown) b.unknown("attribute", name);
    else b.broke(name, say({"attribute ", name, " does not belong here"}), {}, {});
  }
  const char* const begin = scan::blanks(first, last);
  const module_builder::mark before = b.here();
  if (!parse_with(attribute_value(syntax.value_or(attribute_syntax::raw)), first, last, b)) {
    const char* const end = scan::balanced(begin, last);
    if (!end || end == last || b.failure.where == last) return false;
    b.rewind(before);
    report_failure(b, last);
    first = end;
  }
  b.attributes.push_back({key, b.at(name), b.at(begin, first)});
  return true;
}
struct computation_attribute_reader {
  bool operator()(const char*& first, const char* last, auto& b) const {
    return read_outer_attribute(first, last, b, computation_syntax_of);
  }
};
struct header_attribute_reader {
  bool operator()(const char*& first, const char* last, auto& b) const {
    return read_outer_attribute(first, last, b, header_syntax_of);
  }
};
inline constexpr reading<computation_attribute_reader{}> computation_attribute{};
inline constexpr reading<header_attribute_reader{}> header_attribute{};

inline constexpr auto computation_end = must("an instruction or '}'")['}'_p] >> after_commas[must("execution_thread")[computation_attribute]];

namespace header_rules {
inline void name(module_builder& b, std::string_view text) {
  b.data->has_header = true;
  b.data->name = b.at(text);
}
}  // namespace header_rules

/// `HloModule name {, attribute}`
inline constexpr auto module_header = keyword("HloModule") >> must("the module's name")[on<&header_rules::name>[instruction_name]] >>
                                      after_commas[must("a module attribute")[header_attribute]];

namespace stack_table_rules {

inline void begin(module_builder& b, const char*) { b.data->has_stack_tables = true; }
inline void file(module_builder& b, std::string_view text) { b.data->file_names.push_back(b.at(text)); }
inline void function(module_builder& b, std::string_view text) { b.data->function_names.push_back(b.at(text)); }
inline void location(module_builder& b, const file_location_record& row) { b.data->file_locations.push_back(row); }
inline void frame(module_builder& b, const stack_frame_record& row) { b.data->stack_frames.push_back(row); }

// What a row does not say is 0.
inline constexpr std::array<std::string_view, 6> location_keys{"file_name_id", "function_name_id", "line", "end_line", "column", "end_column"};
inline constexpr std::array<std::string_view, 2> frame_keys{"file_location_id", "parent_frame_id"};
inline void row_begins(module_builder& b, const char*) { b.row_keys = 0; }
template <std::size_t Key>
void row_has(module_builder& b, const char*) { b.row_keys |= 1u << Key; }
template <const auto& Keys>
void row_ends(module_builder& b, const char* where) {
  for (std::size_t k = 0; k != Keys.size(); ++k)
    if (!(b.row_keys >> k & 1)) return b.warn(where - 1, say({"this row of the stack tables has no ", Keys[k], "; 0 is used"}));
}
template <const auto& Keys, std::size_t Key, auto Member>
inline constexpr auto field = key(Keys[Key]) >> must("an integer")[into<Member>[integer]] >> at<&row_has<Key>> >> maybe[','_p];

}  // namespace stack_table_rules

struct location_row_id {};
inline constexpr x3::rule<location_row_id, file_location_record> location_row{"file location"};
inline constexpr auto location_row_def = [] {
  using namespace stack_table_rules;
  using row = file_location_record;
  return '{'_p >> at<&row_begins> >>
         many[field<location_keys, 0, &row::file_name_id> | field<location_keys, 1, &row::function_name_id> |
              field<location_keys, 2, &row::line> | field<location_keys, 3, &row::end_line> | field<location_keys, 4, &row::column> |
              field<location_keys, 5, &row::end_column>] >>
         must("an attribute of a file location or '}'")['}'_p] >> at<&row_ends<location_keys>>;
}();
struct frame_row_id {};
inline constexpr x3::rule<frame_row_id, stack_frame_record> frame_row{"stack frame"};
inline constexpr auto frame_row_def = [] {
  using namespace stack_table_rules;
  using row = stack_frame_record;
  return '{'_p >> at<&row_begins> >>
         many[field<frame_keys, 0, &row::file_location_id> | field<frame_keys, 1, &row::parent_frame_id>] >>
         must("an attribute of a stack frame or '}'")['}'_p] >> at<&row_ends<frame_keys>>;
}();
BOOST_SPIRIT_DEFINE(location_row, frame_row)

/// All four tables or none.
inline constexpr auto stack_tables = [] {
  using namespace stack_table_rules;
  return keyword("FileNames") >> at<&begin> >> many[integer >> must("a file name")[on<&file>[string]]] >>
         must("FunctionNames")[keyword("FunctionNames")] >> many[integer >> must("a function name")[on<&function>[string]]] >>
         must("FileLocations")[keyword("FileLocations")] >> many[integer >> must("'{'")[on<&location>[location_row]]] >>
         must("StackFrames")[keyword("StackFrames")] >> many[integer >> must("'{'")[on<&frame>[frame_row]]];
}();

}  // namespace hlolint::grammar
