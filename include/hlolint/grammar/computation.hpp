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

inline constexpr auto on_entry = [](auto& c) { builder(c).computation().record.entry = true; };
inline constexpr auto on_name = [](auto& c) {
  builder(c).computation().name = x3::_attr(c);
  builder(c).computation().record.name = builder(c).at(x3::_attr(c));
};
inline constexpr auto on_signature = [](auto& c) { builder(c).computation().record.signature = builder(c).at(x3::_attr(c)); };
inline constexpr auto on_result = [](auto& c) { builder(c).computation().declared_result = x3::_attr(c); };

inline constexpr auto parameter = must("a parameter name")[instruction_name] >> -':'_p >> must("a shape")[interned_shape];
inline constexpr auto signature = '('_p >> -(!')'_p >> parameter % ','_p) >> must("',' or ')' after a parameter")[')'_p] >>
                                  must("'->'")[arrow] >> must("a result shape")[interned_shape[on_result]];

}  // namespace computation_rules

/// `[ENTRY] name [(p: shape) -> shape] {`
inline constexpr auto computation_head = [] {
  using namespace computation_rules;
  return -(keyword("ENTRY") >> x3::eps[on_entry]) >> must("a computation")[instruction_name[on_name]] >>
         -(&'('_p >> text_of[signature][on_signature]) >> must("'{' before the instructions")['{'_p];
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
inline constexpr auto computation_attribute = instruction_rules_of::reading<[](const char*& first, const char* last, auto& b) {
  return read_outer_attribute(first, last, b, computation_syntax_of);
}>{};
inline constexpr auto header_attribute = instruction_rules_of::reading<[](const char*& first, const char* last, auto& b) {
  return read_outer_attribute(first, last, b, header_syntax_of);
}>{};

inline constexpr auto computation_end = must("an instruction or '}'")['}'_p] >> after_commas[must("execution_thread")[computation_attribute]];

namespace header_rules {
inline constexpr auto on_name = [](auto& c) {
  builder(c).data->has_header = true;
  builder(c).data->name = builder(c).at(x3::_attr(c));
};
}  // namespace header_rules

/// `HloModule name {, attribute}`
inline constexpr auto module_header = keyword("HloModule") >> must("the module's name")[instruction_name[header_rules::on_name]] >>
                                      after_commas[must("a module attribute")[header_attribute]];

namespace stack_table_rules {

inline constexpr auto on_file = [](auto& c) { builder(c).data->file_names.push_back(builder(c).at(x3::_attr(c))); };
inline constexpr auto on_function = [](auto& c) { builder(c).data->function_names.push_back(builder(c).at(x3::_attr(c))); };
inline constexpr auto new_location = [](auto& c) { builder(c).data->file_locations.emplace_back(), builder(c).row_keys = 0; };
inline constexpr auto new_frame = [](auto& c) { builder(c).data->stack_frames.emplace_back(), builder(c).row_keys = 0; };
template <auto Member>
inline constexpr auto in_location = [](auto& c) { builder(c).data->file_locations.back().*Member = x3::_attr(c); };
template <auto Member>
inline constexpr auto in_frame = [](auto& c) { builder(c).data->stack_frames.back().*Member = x3::_attr(c); };
inline constexpr auto on_tables = [](auto& c) { builder(c).data->has_stack_tables = true; };

// What a row does not say is 0.
inline constexpr std::array<std::string_view, 6> location_keys{"file_name_id", "function_name_id", "line", "end_line", "column", "end_column"};
inline constexpr std::array<std::string_view, 2> frame_keys{"file_location_id", "parent_frame_id"};
template <const auto& Keys>
inline constexpr auto row_end = [](auto& c) {
  for (std::size_t k = 0; k != Keys.size(); ++k)
    if (!(builder(c).row_keys >> k & 1))
      return builder(c).warn(x3::_where(c).begin(), say({"this row of the stack tables has no ", Keys[k], "; 0 is used"}));
};
template <const auto& Keys, std::size_t Key, class Action>
constexpr auto field(Action action) {
  return key(Keys[Key]) >> must("an integer")[integer[action]] >> x3::eps[([](auto& c) { builder(c).row_keys |= 1u << Key; })] >> -','_p;
}
inline constexpr auto location = [] {
  using row = file_location_record;
  return '{'_p >> x3::eps[new_location] >>
         *(field<location_keys, 0>(in_location<&row::file_name_id>) | field<location_keys, 1>(in_location<&row::function_name_id>) |
           field<location_keys, 2>(in_location<&row::line>) | field<location_keys, 3>(in_location<&row::end_line>) |
           field<location_keys, 4>(in_location<&row::column>) | field<location_keys, 5>(in_location<&row::end_column>)) >>
         must("an attribute of a file location or '}'")['}'_p[row_end<location_keys>]];
}();
inline constexpr auto frame = '{'_p >> x3::eps[new_frame] >>
                              *(field<frame_keys, 0>(in_frame<&stack_frame_record::file_location_id>) |
                                field<frame_keys, 1>(in_frame<&stack_frame_record::parent_frame_id>)) >>
                              must("an attribute of a stack frame or '}'")['}'_p[row_end<frame_keys>]];

}  // namespace stack_table_rules

/// All four tables or none.
inline constexpr auto stack_tables = [] {
  using namespace stack_table_rules;
  return keyword("FileNames") >> x3::eps[on_tables] >> *(integer >> must("a file name")[string[on_file]]) >>
         must("FunctionNames")[keyword("FunctionNames")] >> *(integer >> must("a function name")[string[on_function]]) >>
         must("FileLocations")[keyword("FileLocations")] >> *(integer >> must("'{'")[location]) >>
         must("StackFrames")[keyword("StackFrames")] >> *(integer >> must("'{'")[frame]);
}();

}  // namespace hlolint::grammar
