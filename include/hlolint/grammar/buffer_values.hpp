// The section `Used values:` (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffer_names.hpp>

namespace hlolint::grammar::dump {

inline void keep(dump_state& s, used_value& v, std::string_view text) {
  v.name = std::move(s.draft<value_name>());
  v.first_position = static_cast<std::uint32_t>(s.out.positions.size());
  v.first_use = static_cast<std::uint32_t>(s.out.uses.size());
  v.text = text;
  s.out.used_values.push_back(std::move(v));
  s.out.has_used_values = true;
  s.open_allocation = false;
}
inline void keep(dump_state& s, value_position& p, std::string_view) {
  s.out.positions.push_back(std::move(p));
  ++s.out.used_values.back().position_count;
}
inline void keep(dump_state& s, value_use& u, std::string_view) {
  s.out.uses.push_back(std::move(u));
  ++s.out.used_values.back().use_count;
}

inline constexpr auto open_values = [](auto& c) {
  dump_of(c).out.has_used_values = true;
  dump_of(c).open_allocation = false;
};
inline constexpr auto has_used_value = [](auto& c) { x3::_pass(c) = !dump_of(c).out.used_values.empty(); };
inline constexpr auto keep_instruction = [](auto& c) {
  dump_of(c).out.used_values.back().from_instruction = x3::_attr(c);
};
inline constexpr auto uses_unknown = [](auto& c) { dump_of(c).out.used_values.back().uses_known = false; };

/// `  fusion.1 {0}`
inline constexpr auto position = record<value_position>[
    "  "_t >> must("the name of an instruction")[name[into<&value_position::instruction>]] >>
    -(" "_t >> index[into<&value_position::index>]) >> must("an index or the end of the line")[eol]];

/// `  add.3, operand 1 {0}`
inline constexpr auto use =
    record<value_use>["  "_t >> must("the name of an instruction")[name[into<&value_use::instruction>]] >>
                      must("', operand '")[", operand "_t] >>
                      must("the number of an operand")[number[into<&value_use::operand>]] >>
                      -(" "_t >> index[into<&value_use::index>]) >> must("an index or the end of the line")[eol]];

inline constexpr auto positions = " positions:"_t >> eol >>
                                  *(position | unreadable("  ", "'  INSTRUCTION {INDEX}' or ' uses:'"));
inline constexpr auto uses =
    " uses:"_t >> eol >>
        ("  (none)"_t >> eol |
         *(use | unreadable("  ", "'  INSTRUCTION, operand NUMBER {INDEX}' or ' from instruction:'"))) |
    " uses are not initialized yet."_t >> eol >> x3::eps[uses_unknown];
/// The text may go on over lines. Older dumps of TPUs have no blank before it.
inline constexpr auto from_instruction =
    " from instruction:"_t >> -" "_t >> must("an instruction")[instruction_text[keep_instruction]] >> ended;

inline constexpr auto values_head = "Used values:"_t >> eol >> x3::eps[open_values];
inline constexpr auto used_value_lines = record<used_value>[value_id >> must("the end of the line")[eol]] >>
                                         next("' positions:'")[positions] >> next("' uses:'")[uses] >>
                                         next("' from instruction:'")[from_instruction];
/// The part of a value behind a line that cannot be read.
inline constexpr auto used_value_part = x3::eps[has_used_value] >> (positions | uses | from_instruction);

}  // namespace hlolint::grammar::dump
