// The table of buffers with a head line and comma-separated columns (buffer_dumps.md 7).
#pragma once

#include <hlolint/grammar/buffer_values.hpp>

namespace hlolint::grammar::dump {

inline void keep(dump_state& s, buffer_info_row& row, std::string_view text) {
  if (!s.info) s.info = std::make_shared<hlolint::buffer_info>();
  row.name = std::move(s.draft<value_name>());
  row.text = text;
  row.first_use = static_cast<std::uint32_t>(s.info->uses.size() - row.uses);
  s.info->rows.push_back(std::move(row));
}

/// Times and names of the uses come in two lists. A row that fails later on takes its uses back with it.
inline constexpr auto open_info = [](auto& c) {
  dump_state& s = dump_of(c);
  s.info = std::make_shared<hlolint::buffer_info>();
  s.open_allocation = false;
};
inline constexpr auto new_uses = [](auto& c) {
  hlolint::buffer_info& info = *dump_of(c).info;
  const std::size_t kept = info.rows.empty() ? 0 : info.rows.back().first_use + info.rows.back().uses;
  info.uses.resize(kept);
};
inline constexpr auto keep_time = [](auto& c) {
  dump_state& s = dump_of(c);
  s.info->uses.push_back({x3::_attr(c), {}});
  ++s.draft<buffer_info_row>().uses;
};
inline constexpr auto keep_use_name = [](auto& c) {
  dump_state& s = dump_of(c);
  timed_use& at = s.draft<timed_use>();
  if (at.time >= s.draft<buffer_info_row>().uses) {
    x3::_pass(c) = false;
    return;
  }
  s.info->uses[s.info->uses.size() - s.draft<buffer_info_row>().uses + static_cast<std::size_t>(at.time++)].use =
      std::move(s.draft<value_use>());
};
inline constexpr auto first_use_name = [](auto& c) { dump_of(c).template draft<timed_use>().time = 0; };
inline constexpr auto new_use_name = [](auto& c) { dump_of(c).template draft<value_use>() = value_use{}; };

inline constexpr auto comma = must("','")[","_t];
inline constexpr auto use_name =
    x3::eps[new_use_name] >> name[into<&value_use::instruction>] >> must("', operand '")[", operand "_t] >>
    must("the number of an operand")[number[into<&value_use::operand>]] >> -(" "_t >> index[into<&value_use::index>]) >>
    must("as many use times as uses")[x3::eps[keep_use_name]];

inline constexpr auto info_head =
    "buffer_id,buffer_name,offset,size,definition_time,end_time,num_uses,use_times,use_names"_t >> eol >>
    x3::eps[open_info];
inline constexpr auto info_row = record<buffer_info_row>[
    x3::eps[new_uses] >> number[into<&buffer_info_row::id>] >> comma >>
    must("a value's name in quotes")["\""_t >> value_id >> "\""_t] >> comma >>
    must("an offset in bytes")[number[into<&buffer_info_row::offset>]] >> comma >>
    must("a size in bytes")[number[into<&buffer_info_row::size>]] >> comma >>
    must("the definition time")[number[into<&buffer_info_row::definition_time>]] >> comma >>
    must("the end time")[number[into<&buffer_info_row::end_time>]] >> comma >>
    must("the number of uses")[number[into<&buffer_info_row::use_count>]] >> comma >>
    must("the times of the uses in quotes")["\""_t >> -(number[keep_time] % ";"_t) >> "\""_t] >> comma >>
    must("the uses in quotes")["\""_t >> x3::eps[first_use_name] >> -(use_name % ";"_t) >> "\""_t] >>
    must("the end of the line")[eol]];

inline constexpr auto info = info_head >> *(info_row | unreadable("", "a row of the table of buffers"));

}  // namespace hlolint::grammar::dump
