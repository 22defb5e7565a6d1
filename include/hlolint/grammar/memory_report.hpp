// The memory usage report in both of its forms (buffer_dumps.md 6).
#pragma once

#include <hlolint/grammar/buffer_assignment.hpp>

namespace hlolint::grammar::dump {

inline hlolint::memory_report& report_of(dump_state& s) {
  if (!s.report) s.report = &s.rare_parts().report;
  s.open_allocation = false;
  return *s.report;
}
template <class = void>
void keep(dump_state&, report_rest&, std::string_view) {}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, report_row& row, std::string_view text) {
  hlolint::memory_report& report = report_of(s);
  row.text = text;
  report.rows.push_back(row);
  ++report.tables.back().row_count;
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, report_allocation& a, std::string_view text) {
  hlolint::memory_report& report = report_of(s);
  a.header = std::move(s.draft<allocation>());
  a.header.size = a.size.bytes;
  a.header.text = text;
  keep_unknown_flags(s);
  (a.cumulative.text.empty() ? report.with_values : report.allocations).push_back(std::move(a));
}
template <class = void>
[[gnu::noinline, gnu::cold]] void keep(dump_state& s, report_memory_space& space, std::string_view text) {
  hlolint::memory_report& report = report_of(s);
  space.first_table = static_cast<std::uint32_t>(report.tables.size());
  space.text = text;
  report.spaces.push_back(space);
}

inline void open_report(dump_state& s) { report_of(s).total = s.total; }
inline bool in_report(dump_state& s) { return s.report; }
inline void new_header(dump_state& s) { renew(s.draft<allocation>()); }
/// A table belongs to the allocation above it, or to the memory space above it.
[[gnu::noinline, gnu::cold]] inline void open_table(dump_state& s) {
  hlolint::memory_report& report = report_of(s);
  report_table& table = report.tables.emplace_back();
  table.first_row = static_cast<std::uint32_t>(report.rows.size());
  if (!report.spaces.empty()) {
    ++report.spaces.back().table_count;
  } else if (!report.with_values.empty()) {
    table.allocation = report.with_values.back().header.number;
    report.with_values.back().table = static_cast<std::uint32_t>(report.tables.size() - 1);
  }
}
inline void keep_rest(dump_state& s) { report_of(s).rest = s.draft<report_rest>(); }
inline void keep_table_rest(dump_state& s) { report_of(s).tables.back().rest = s.draft<report_rest>(); }
inline void keep_space_total(dump_state& s, std::int64_t bytes) { report_of(s).spaces.back().total = bytes; }

inline constexpr auto dashes = in_order(some("----"), many("-"), ended);
/// `( 34%);`, `nan` for an allocation without bytes
template <class Record>
constexpr auto percent(std::optional<std::int64_t> Record::*member) {
  return in_order("(", blanks, must("a percentage")(either(number(member), "nan", "-nan")), must("'%);'")("%);"), blanks);
}
constexpr auto rest(std::string_view what) {
  return record<report_rest>(blanks, "The rest ", number(&report_rest::count), fixed(what), " are less than ",
                             number(&report_rest::percent), "% of the total size and not shown.", eol);
}

/// `allocation 3: size 99.62MiB, preallocated-temp:`
inline constexpr auto sized_header =
    in_order("allocation ", does(&new_header), must("the number of the allocation")(number(&allocation::number)),
             must("': size '")(": size "), must("a size with a unit")(size(&report_allocation::size)), flags,
             must("a flag, or ':' and the end of the line")(":", eol));
inline constexpr auto allocation_row = record<report_allocation>(
    blanks, size(&report_allocation::cumulative), percent(&report_allocation::percent),
    must("the remaining size")(size(&report_allocation::remaining)), must("'; '")("; "),
    must("'allocation NUMBER: size SIZE, FLAGS:'")(sized_header));
inline constexpr auto value_row = record<report_row>(
    blanks, size(&report_row::cumulative), percent(&report_row::percent),
    must("the size of the values")(size(&report_row::size)), must("';'")(";"), blanks,
    must("an offset in bytes")(number(&report_row::offset)), must("';'")(";"), blanks,
    must("the number of values")(number(&report_row::value_count)), must("';'")("; "),
    must("the shapes of the values")(some_line(&report_row::shapes)), ended);

inline constexpr auto value_table =
    in_order(blanks, "cumulative_size;       size;       offset; used_by_n_values; shapes_list", eol, does(&open_table),
             next("a line of dashes")(blanks, dashes),
             many(either(value_row, unreadable("", "a row of the value table"))),
             maybe(rest(" values"), does(&keep_table_rest)));

inline constexpr auto header_lines =
    some(either(record<report_allocation>(sized_header), in_order(many(blank_line), value_table)));
inline constexpr auto report_2024 = in_order(
    total_line, some(blank_line), "Allocations sorted by size:", eol, does(&open_report), many(blank_line),
    next("'cumulative_size; total_size - cumulative_size; allocation'")(
        "cumulative_size; total_size - cumulative_size; allocation", eol),
    next("a line of dashes")(dashes),
    many(either(allocation_row, unreadable("", "a row of the list of allocations"))),
    maybe(rest(" allocations"), does(&keep_rest)), many(blank_line),
    next("'Allocations sorted by size with their values:'")("Allocations sorted by size with their values:", eol),
    many(either(header_lines, unreadable("allocation ", "'allocation NUMBER: size SIZE, FLAGS:'"))));

inline constexpr auto report_2026 = in_order(
    record<report_memory_space>(
        "Memory Space: ", must("the name of a memory space")(name(&report_memory_space::name)),
        must("' (color='")(" (color="), must("a colour")(number(&report_memory_space::color)),
        must("')' and the end of the line")(")", eol)),
    next("'Total bytes: N (SIZE)'")("Total bytes: ", must("a size in bytes")(number(&keep_space_total)),
                                    must("a size in parentheses")(" (", size, ")", eol)),
    many(many(blank_line), value_table));

/// A report; the part of one behind lines that cannot be read; a table alone.
inline constexpr auto usage_report =
    either(report_2024, report_2026, in_order(does(&in_report), header_lines), value_table);

}  // namespace hlolint::grammar::dump
