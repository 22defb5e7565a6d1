// The section `Used values:` (buffer_dumps.md 2).
#pragma once

#include <hlolint/grammar/buffer_names.hpp>

namespace hlolint::grammar::dump {

template <class = void>
void keep(dump_state& s, used_value& v, std::string_view text) {
  v.name = std::move(s.draft<value_name>());
  v.first_position = static_cast<std::uint32_t>(s.out.positions.size());
  v.first_use = static_cast<std::uint32_t>(s.out.uses.size());
  v.text = text;
  s.out.used_values.push_back(std::move(v));
  s.out.has_used_values = true;
  s.open_allocation = false;
}
template <class = void>
void keep(dump_state& s, value_position& p, std::string_view) {
  s.out.positions.push_back(std::move(p));
  ++s.out.used_values.back().position_count;
}
template <class = void>
void keep(dump_state& s, value_use& u, std::string_view) {
  s.out.uses.push_back(std::move(u));
  ++s.out.used_values.back().use_count;
}

inline void open_values(dump_state& s) {
  s.out.has_used_values = true;
  s.open_allocation = false;
}
inline bool has_used_value(dump_state& s) { return !s.out.used_values.empty(); }
inline void keep_instruction(dump_state& s, std::string_view text) { s.out.used_values.back().from_instruction = text; }
inline void uses_unknown(dump_state& s) { s.out.used_values.back().uses_known = false; }

/// `  fusion.1 {0}`
inline constexpr auto position =
    record<value_position>("  ", must("the name of an instruction")(name(&value_position::instruction)),
                           maybe(" ", index(&value_position::index)), must("an index or the end of the line")(eol));

/// `  add.3, operand 1 {0}`
inline constexpr auto use =
    record<value_use>("  ", must("the name of an instruction")(name(&value_use::instruction)),
                      must("', operand '")(", operand "), must("the number of an operand")(number(&value_use::operand)),
                      maybe(" ", index(&value_use::index)), must("an index or the end of the line")(eol));

inline constexpr auto positions =
    in_order(" positions:", eol, many(either(position, unreadable("  ", "'  INSTRUCTION {INDEX}' or ' uses:'"))));
inline constexpr auto uses = either(
    in_order(" uses:", eol,
             either(in_order("  (none)", eol),
                    many(either(use, unreadable("  ", "'  INSTRUCTION, operand NUMBER {INDEX}' or ' from instruction:'"))))),
    in_order(" uses are not initialized yet.", eol, does(&uses_unknown)));
/// The text may go on over lines. Older dumps of TPUs have no blank before it.
inline constexpr auto from_instruction =
    in_order(" from instruction:", maybe(" "), must("an instruction")(instruction_text(&keep_instruction)), ended);

inline constexpr auto values_head = in_order("Used values:", eol, does(&open_values));
inline constexpr auto used_value_lines =
    in_order(record<used_value>(value_id, must("the end of the line")(eol)), next("' positions:'")(positions),
             next("' uses:'")(uses), next("' from instruction:'")(from_instruction));
/// The part of a value behind a line that cannot be read.
inline constexpr auto used_value_part = in_order(does(&has_used_value), either(positions, uses, from_instruction));

}  // namespace hlolint::grammar::dump
