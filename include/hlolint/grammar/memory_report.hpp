// The memory usage report in both of its forms (buffer_dumps.md 6).
#pragma once

#include <hlolint/grammar/buffer_assignment.hpp>

namespace hlolint::grammar::dump {

inline hlolint::memory_report& report_of(dump_state& s) {
  if (!s.report) s.report = std::make_shared<hlolint::memory_report>();
  s.open_allocation = false;
  return *s.report;
}
inline void keep(dump_state&, report_rest&, std::string_view) {}
inline void keep(dump_state& s, report_row& row, std::string_view text) {
  hlolint::memory_report& report = report_of(s);
  row.text = text;
  report.rows.push_back(row);
  ++report.tables.back().row_count;
}
inline void keep(dump_state& s, report_allocation& a, std::string_view text) {
  hlolint::memory_report& report = report_of(s);
  a.header = std::move(s.draft<allocation>());
  a.header.size = a.size.bytes;
  a.header.text = text;
  keep_unknown_flags(s);
  (a.cumulative.text.empty() ? report.with_values : report.allocations).push_back(std::move(a));
}
inline void keep(dump_state& s, report_memory_space& space, std::string_view text) {
  hlolint::memory_report& report = report_of(s);
  space.first_table = static_cast<std::uint32_t>(report.tables.size());
  space.text = text;
  report.spaces.push_back(space);
}

inline constexpr auto open_report = [](auto& c) { report_of(dump_of(c)).total = dump_of(c).total; };
inline constexpr auto in_report = [](auto& c) { x3::_pass(c) = dump_of(c).report != nullptr; };
inline constexpr auto new_header = [](auto& c) { dump_of(c).template draft<allocation>() = allocation{}; };
/// A table belongs to the allocation above it, or to the memory space above it.
inline constexpr auto open_table = [](auto& c) {
  hlolint::memory_report& report = report_of(dump_of(c));
  report_table& table = report.tables.emplace_back();
  table.first_row = static_cast<std::uint32_t>(report.rows.size());
  if (!report.spaces.empty()) {
    ++report.spaces.back().table_count;
  } else if (!report.with_values.empty()) {
    table.allocation = report.with_values.back().header.number;
    report.with_values.back().table = static_cast<std::uint32_t>(report.tables.size() - 1);
  }
};
inline constexpr auto keep_rest = [](auto& c) {
  report_of(dump_of(c)).rest = dump_of(c).template draft<report_rest>();
};
inline constexpr auto keep_table_rest = [](auto& c) {
  report_of(dump_of(c)).tables.back().rest = dump_of(c).template draft<report_rest>();
};
inline constexpr auto keep_space_total = [](auto& c) { report_of(dump_of(c)).spaces.back().total = x3::_attr(c); };

inline constexpr auto dashes = +"----"_t >> *"-"_t >> ended;
/// `( 34%);`, `nan` for an allocation without bytes
template <auto Member>
inline constexpr auto percent = "("_t >> blanks >> must("a percentage")[number[into<Member>] | "nan"_t | "-nan"_t] >>
                                must("'%);'")["%);"_t] >> blanks;
template <characters What>
inline constexpr auto rest =
    record<report_rest>[blanks >> "The rest "_t >> number[into<&report_rest::count>] >> fixed<What>{} >>
                        " are less than "_t >> number[into<&report_rest::percent>] >>
                        "% of the total size and not shown."_t >> eol];

/// `allocation 3: size 99.62MiB, preallocated-temp:`
inline constexpr auto sized_header =
    "allocation "_t >> x3::eps[new_header] >> must("the number of the allocation")[number[into<&allocation::number>]] >>
    must("': size '")[": size "_t] >> must("a size with a unit")[size[into<&report_allocation::size>]] >> flags >>
    must("a flag, or ':' and the end of the line")[":"_t >> eol];
inline constexpr auto allocation_row = record<report_allocation>[
    blanks >> size[into<&report_allocation::cumulative>] >> percent<&report_allocation::percent> >>
    must("the remaining size")[size[into<&report_allocation::remaining>]] >> must("'; '")["; "_t] >>
    must("'allocation NUMBER: size SIZE, FLAGS:'")[sized_header]];
inline constexpr auto value_row = record<report_row>[
    blanks >> size[into<&report_row::cumulative>] >> percent<&report_row::percent> >>
    must("the size of the values")[size[into<&report_row::size>]] >> must("';'")[";"_t] >> blanks >>
    must("an offset in bytes")[number[into<&report_row::offset>]] >> must("';'")[";"_t] >> blanks >>
    must("the number of values")[number[into<&report_row::value_count>]] >> must("';'")["; "_t] >>
    must("the shapes of the values")[some_line[into<&report_row::shapes>]] >> ended];

inline constexpr auto value_table = blanks >>
                                    "cumulative_size;       size;       offset; used_by_n_values; shapes_list"_t >>
                                    eol >> x3::eps[open_table] >> next("a line of dashes")[blanks >> dashes] >>
                                    *(value_row | unreadable("", "a row of the value table")) >>
                                    -(rest<" values"> >> x3::eps[keep_table_rest]);

inline constexpr auto header_lines = +(record<report_allocation>[sized_header] | *blank_line >> value_table);
inline constexpr auto report_2024 =
    total_line >> +blank_line >> "Allocations sorted by size:"_t >> eol >> x3::eps[open_report] >> *blank_line >>
    next("'cumulative_size; total_size - cumulative_size; allocation'")
        ["cumulative_size; total_size - cumulative_size; allocation"_t >> eol] >>
    next("a line of dashes")[dashes] >>
    *(allocation_row | unreadable("", "a row of the list of allocations")) >>
    -(rest<" allocations"> >> x3::eps[keep_rest]) >> *blank_line >>
    next("'Allocations sorted by size with their values:'")["Allocations sorted by size with their values:"_t >> eol] >>
    *(header_lines | unreadable("allocation ", "'allocation NUMBER: size SIZE, FLAGS:'"));

inline constexpr auto report_2026 =
    record<report_memory_space>["Memory Space: "_t >>
                                must("the name of a memory space")[name[into<&report_memory_space::name>]] >>
                                must("' (color='")[" (color="_t] >>
                                must("a colour")[number[into<&report_memory_space::color>]] >>
                                must("')' and the end of the line")[")"_t >> eol]] >>
    next("'Total bytes: N (SIZE)'")["Total bytes: "_t >> must("a size in bytes")[number[keep_space_total]] >>
                                    must("a size in parentheses")[" ("_t >> size >> ")"_t >> eol]] >>
    *(*blank_line >> value_table);

/// A report; the part of one behind lines that cannot be read; a table alone.
inline constexpr auto usage_report = report_2024 | report_2026 | x3::eps[in_report] >> header_lines | value_table;

}  // namespace hlolint::grammar::dump
