// The table of buffers with a head line and comma-separated columns (buffer_dumps.md 7).
#pragma once

#include <hlolint/grammar/buffer_values.hpp>

namespace hlolint::grammar::dump {

inline hlolint::buffer_info& info_of(dump_state& s) {
  if (!s.info) s.info = &s.rare_parts().info;
  return *s.info;
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, buffer_info_row& row, std::string_view text) {
  hlolint::buffer_info& info = info_of(s);
  row.name = std::move(s.draft<value_name>());
  row.text = text;
  row.first_use = static_cast<std::uint32_t>(info.uses.size() - row.uses);
  info.rows.push_back(std::move(row));
}

/// Times and names of the uses come in two lists. A row that fails later on takes its uses back with it.
[[gnu::noinline, gnu::cold]] inline void open_info(dump_state& s) {
  info_of(s).rows.clear();
  info_of(s).uses.clear();
  s.open_allocation = false;
}
[[gnu::noinline, gnu::cold]] inline void new_uses(dump_state& s) {
  hlolint::buffer_info& info = info_of(s);
  const std::size_t kept = info.rows.empty() ? 0 : info.rows.back().first_use + info.rows.back().uses;
  while (info.uses.size() > kept) info.uses.pop_back();
}
[[gnu::noinline, gnu::cold]] inline void keep_time(dump_state& s, std::int64_t time) {
  info_of(s).uses.emplace_back().time = time;
  ++s.draft<buffer_info_row>().uses;
}
[[gnu::noinline, gnu::cold]] inline bool keep_use_name(dump_state& s) {
  timed_use& at = s.draft<timed_use>();
  const std::uint32_t count = s.draft<buffer_info_row>().uses;
  if (at.time >= count) return false;
  info_of(s).uses[info_of(s).uses.size() - count + static_cast<std::size_t>(at.time++)].use = std::move(s.draft<value_use>());
  return true;
}
inline void first_use_name(dump_state& s) { s.draft<timed_use>().time = 0; }
inline void new_use_name(dump_state& s) { renew(s.draft<value_use>()); }

inline constexpr auto comma = must("','")(",");
inline constexpr auto use_name =
    in_order(does(&new_use_name), name(&value_use::instruction), must("', operand '")(", operand "),
             must("the number of an operand")(number(&value_use::operand)), maybe(" ", index(&value_use::index)),
             must("as many use times as uses")(does(&keep_use_name)));

inline constexpr auto info_head =
    in_order("buffer_id,buffer_name,offset,size,definition_time,end_time,num_uses,use_times,use_names", eol,
             does(&open_info));
inline constexpr auto info_row = record<buffer_info_row>(
    does(&new_uses), number(&buffer_info_row::id), comma, must("a value's name in quotes")("\"", value_id, "\""), comma,
    must("an offset in bytes")(number(&buffer_info_row::offset)), comma,
    must("a size in bytes")(number(&buffer_info_row::size)), comma,
    must("the definition time")(number(&buffer_info_row::definition_time)), comma,
    must("the end time")(number(&buffer_info_row::end_time)), comma,
    must("the number of uses")(number(&buffer_info_row::use_count)), comma,
    must("the times of the uses in quotes")("\"", maybe(number(&keep_time), many(";", number(&keep_time))), "\""), comma,
    must("the uses in quotes")("\"", does(&first_use_name), maybe(use_name, many(";", use_name)), "\""),
    must("the end of the line")(eol));

inline constexpr auto info = in_order(info_head, many(either(info_row, unreadable("", "a row of the table of buffers"))));

}  // namespace hlolint::grammar::dump
