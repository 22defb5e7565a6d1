// A whole buffer dump: any sections in any order (buffer_dumps.md 1, 2), one of them a table with a head line and
// comma-separated columns.
#pragma once

#include <hlolint/grammar/buffers/assignment.hpp>
#include <hlolint/grammar/buffers/lines.hpp>
#include <hlolint/grammar/buffers/live_range.hpp>
#include <hlolint/grammar/buffers/memory_report.hpp>
#include <hlolint/grammar/buffers/thunk_sequence.hpp>
#include <hlolint/grammar/buffers/values.hpp>
#include <hlolint/ir/parsed_file.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace hlolint::grammar::dump {

// ------------------------------------------------------------------ the table of buffers (buffer_dumps.md 7)
inline constexpr auto comma = must("','")[','];
inline constexpr auto use_name = rule<value_use>("use name") =
    into<&value_use::instruction>[name] >> must("', operand '")[", operand "] >>
    must("the number of an operand")[into<&value_use::operand>[number]] >> -(' ' >> into<&value_use::index>[index]);

/// `4,"<4 p0{1} @0>",0,64,0,9,1,"3","add.1, operand 0"`
inline constexpr auto info_line = rule<info_row>("info line") = on_line<
    &info_row::text>[into<&info_row::id>[number] >> comma >>
                     must("a value's name in quotes")['"' >> into<&info_row::name>[value_id] >> '"'] >> comma >>
                     must("an offset in bytes")[into<&info_row::offset>[number]] >> comma >>
                     must("a size in bytes")[into<&info_row::size>[number]] >> comma >>
                     must("the definition time")[into<&info_row::definition_time>[number]] >> comma >>
                     must("the end time")[into<&info_row::end_time>[number]] >> comma >>
                     must("the number of uses")[into<&info_row::use_count>[number]] >> comma >>
                     must("the times of the uses in quotes")['"' >> -(append<&info_row::times>[number] % ';') >> '"'] >>
                     comma >> must("the uses in quotes")
                                  ['"' >> -((append<&info_row::reads>[use_name] >>
                                             must("as many use times as uses")[when<&info_row::has_time_for_each>]) %
                                            ';') >>
                                   '"'] >>
                     must("the end of the line")[eol]];

inline constexpr auto buffer_info =
    within<&read_dump::info>[call<&dump_state::new_info>["buffer_id,buffer_name,offset,size,definition_time,end_"
                                                         "time,num_uses,use_times,use_names" >>
                                                         eol] >>
                             lines("a row of the table of buffers")[call<&dump_state::keep_info>[info_line]]];

// ------------------------------------------------------------------ all sections
/// The beginning of another module's dump. Read together, the two would look like one module with overlapping buffers.
inline constexpr auto another_module =
    call<&dump_state::report_second_module>["BufferAssignment:" >> eol >> when<&read_dump::had_assignment> |
                                            "Used values:" >> eol >> when<&read_dump::had_values> |
                                            "HloLiveRange (max " >> when<&read_dump::had_live_range>] >>
    *line;

inline constexpr auto section = another_module | used_value | report | allocation | live_range | assignment | totals |
                                values | used_value_part | live_range_part | buffer_info | no_live_range;

inline constexpr auto dump = rule<read_dump>("dump") = byte_order_mark >>
                                                       *(blank_lines | section | any_line("a line of a buffer dump"));
/// A list of thunks without a dump of buffers.
inline constexpr auto thunks = rule<read_dump>("thunks") = byte_order_mark >>
                                                           *(thunk_sequence | any_line("the line of a thunk"));

/// Checks the numbers of the allocations, which go up from 0. A missing number shows that lines are lost. Then it is
/// unknown which allocation the values belong to, so the assignment is not used.
inline void check_assignment(dump_state& s) {
  read_dump& out = s.out;
  std::vector<std::pair<std::int64_t, const char*>> numbers, ids;
  for (const hlolint::allocation& a : out.allocations) numbers.emplace_back(a.number, a.text.data());
  for (const assigned_value& v : out.values) ids.emplace_back(v.name.id, v.text.data());
  const auto report_doubles = [&](auto& list, const char* what) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 1; i < list.size(); ++i)
      if (list[i].first == list[i - 1].first && (i == 1 || list[i].first != list[i - 2].first))
        s.small.broke(list[i].second, str_cat({what, list[i].first, " is listed twice"}));
  };
  const hlolint::allocation* after_gap = nullptr;  // the line between them was reported already
  for (std::size_t i = 1; i < out.allocations.size() && !after_gap && !s.values_dropped; ++i)
    if (out.allocations[i].number - 1 > out.allocations[i - 1].number) after_gap = &out.allocations[i];
  report_doubles(numbers, "allocation ");
  report_doubles(ids, "value ");
  if (!after_gap) return;
  s.report_at(after_gap->text.data(),
              str_cat({"expected allocation ", (after_gap - 1)->number + 1,
                       ": its line is lost, so that its values cannot be distinguished from those before "
                       "them, and the assignment is not used"}));
  out.allocations = {};
  out.values = {};
  out.recolored = {};
  out.total_bytes_used.reset();
  out.has_assignment = false;
}

/// Reports parts that every complete dump has and that are missing at the end of the text.
inline void finish(dump_state& s) {
  read_dump& out = s.out;
  for (std::size_t i = 0; i < out.allocations.size(); ++i)
    for (std::size_t k = 0; k < out.allocations[i].value_count; ++k)
      out.values[out.allocations[i].first_value + k].allocation = static_cast<std::int64_t>(i);
  // XLA prints every array with its layout. If the last array has none, the layout is cut off.
  if (!out.values.empty() && out.values.back().text.data() + out.values.back().text.size() == s.end) {
    const shape& last = out.shapes[out.values.back().shape];
    if (last.rank() > 0 && !last.layout) s.cut_off = true;
  }
  const bool one_file = out.has_assignment && out.has_used_values;
  if (one_file && !out.live_ranges && out.used_values.size() < out.values.size()) s.cut_off = true;
  if (out.live_ranges && !out.live_ranges->breakdown.empty() && out.live_ranges->breakdown.back().remaining != 0)
    s.cut_off = true;
  if (out.report)
    for (auto* const list : {&out.report->allocations, &out.report->with_values})
      for (report_allocation& a : *list) a.header.size = a.size.bytes;
  // Drop a record that the end of the text cuts.
  if (s.cut_off && !out.live_ranges && !out.used_values.empty() && out.used_values.back().from_instruction.empty()) {
    out.positions.resize(out.used_values.back().first_position);
    out.uses.resize(out.used_values.back().first_use);
    out.used_values.pop_back();
  }
  if (out.live_ranges) {
    const live_range_block& b = *out.live_ranges;
    const bool anything = !b.available || !b.text.empty() || !b.sequence.empty() || !b.ranges.empty() || b.peak_known ||
                          b.breakdown_bytes;
    if (!anything) out.live_ranges.reset();  // only the heading of a list
  }
  check_assignment(s);
}

/// Reads the whole text of the state.
inline void parse(input_kind what, dump_state& state) {
  if (what == input_kind::thunk_sequence)
    read_all(thunks, state, state.out);
  else
    read_all(dump, state, state.out);
}

/// The records of a file as shared data. Rare sections are allocated separately.
template <class Dump>
std::shared_ptr<const buffer_data> shared(Dump&& read) {
  struct rare_sections {
    hlolint::memory_report report;
    hlolint::buffer_info info;
    hlolint::thunk_sequence thunks;
  };
  auto data = std::make_shared<buffer_data>(std::move(static_cast<buffer_data&>(read)));
  if (!read.report && !read.info && !read.thunk_list) return data;
  const auto rare = std::make_shared<rare_sections>();
  const auto share = [&rare](auto& from, auto& part, auto& to) {
    if (!from) return;
    part = std::move(*from);
    to = {rare, &part};
  };
  share(read.report, rare->report, data->memory_report);
  share(read.info, rare->info, data->buffer_info);
  share(read.thunk_list, rare->thunks, data->thunks);
  return data;
}

}  // namespace hlolint::grammar::dump
