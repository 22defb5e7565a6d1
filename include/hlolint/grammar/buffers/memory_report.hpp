// The memory usage report in both of its forms (buffer_dumps.md 6).
#pragma once

#include <hlolint/grammar/buffers/assignment.hpp>

namespace hlolint::grammar::dump {

inline constexpr auto dashes = "----" >> *x3::lit('-') >> call<&dump_state::free_text_ends>[eol];
/// `( 34%); `, or `nan` for an allocation without bytes.
template <auto Member>
inline constexpr auto percentage = '(' >> blanks >> must("a percentage")[into<Member>[number] | "nan" | "-nan"] >>
                                   must("'%);'")["%);"] >> blanks;
/// `The rest 12 values are less than 5% of the total size and not shown.`
inline constexpr const char *of_values = " values", *of_allocations = " allocations";
template <const auto& What>
inline constexpr auto rest_of = rule<report_rest>("rest of") =
    blanks >> "The rest " >> into<&report_rest::count>[number] >> x3::lit(What) >>
    " are less than " >> into<&report_rest::percent>[number] >> "% of the total size and not shown." >> eol;

/// `allocation 3: size 99.62MiB, preallocated-temp:`
inline constexpr auto alloc_line =
    "allocation " >> must("the number of the allocation")
                         [within<&report_allocation::header>[into<&hlolint::allocation::number>[number]]] >>
    must("': size '")[": size "] >>
    must("a size with a unit")[into<&report_allocation::size>[human]] >> within<&report_allocation::header>[flags] >>
    must("a flag, or ':' and the end of the line")[':' >> eol];
inline constexpr auto header_line = rule<report_allocation>("header line") =
    on_line<&report_allocation::header, &hlolint::allocation::text>[alloc_line];
inline constexpr auto allocation_row = rule<report_allocation>("allocation row") =
    on_line<&report_allocation::header,
            &hlolint::allocation::text>[blanks >> into<&report_allocation::cumulative>[human] >>
                                        percentage<&report_allocation::percent> >>
                                        must("the remaining size")[into<&report_allocation::remaining>[human]] >>
                                        must("'; '")["; "] >>
                                        must("'allocation NUMBER: size SIZE, FLAGS:'")[alloc_line]];

/// `2×f32[8]`
inline constexpr auto item = -(digits >> "\xC3\x97") >> passed<&scan::lines::shape_text>{};
inline constexpr auto shapes = rule<std::string_view>("shapes") = text[item % ", "];
inline constexpr auto value_row = rule<report_row>("value row") = on_line<
    &report_row::text>[blanks >> into<&report_row::cumulative>[human] >> percentage<&report_row::percent> >>
                       must("the size of the values")[into<&report_row::size>[human]] >> must("';'")[';'] >> blanks >>
                       must("an offset in bytes")[into<&report_row::offset>[number]] >> must("';'")[';'] >> blanks >>
                       must("the number of values")[into<&report_row::value_count>[number]] >> must("';'")["; "] >>
                       must("the shapes of the values")[into<&report_row::shapes>[shapes]] >>
                       call<&dump_state::free_text_ends>[eol]];
inline constexpr auto value_table =
    call<&dump_state::open_table>[blanks >>
                                  "cumulative_size;       size;       offset; used_by_n_values; shapes_list" >> eol] >>
    (blanks >> dashes | missing("a line of dashes")) >>
    owns<&hlolint::memory_report::tables, &hlolint::memory_report::rows, &report_table::first_row,
         &report_table::row_count>[lines(
        "a row of the value table")[append<&hlolint::memory_report::rows>[value_row]]] >>
    last_of<&hlolint::memory_report::tables>[-into<&report_table::rest>[rest_of<of_values>]];

inline constexpr auto allocation_list_head = "Allocations sorted by size:" >> eol;
inline constexpr auto space_tables = owns<&hlolint::memory_report::spaces, &hlolint::memory_report::tables,
                                          &report_memory_space::first_table, &report_memory_space::table_count>;
/// A table without a heading, which belongs to the last memory space if the report has one.
inline constexpr auto lone_table = space_tables[value_table] | value_table;

inline constexpr auto headers =
    +(append<&hlolint::memory_report::with_values>[header_line] | -blank_lines >> lone_table);
/// The form of the reports from 2024-10 to 2026-03.
inline constexpr auto report_2024 =
    into<&hlolint::memory_report::total>[total] >> eol >> blank_lines >> allocation_list_head >>
    call<&dump_state::close> >> -blank_lines >>
    ("cumulative_size; total_size - cumulative_size; allocation" >> eol |
     missing("'cumulative_size; total_size - cumulative_size; allocation'")) >>
    (dashes | missing("a line of dashes")) >>
    lines("a row of the list of allocations")[append<&hlolint::memory_report::allocations>[allocation_row]] >>
    -into<&hlolint::memory_report::rest>[rest_of<of_allocations>] >> -blank_lines >>
    ("Allocations sorted by size with their values:" >> eol |
     missing("'Allocations sorted by size with their values:'")) >>
    lines("allocation ", "'allocation NUMBER: size SIZE, FLAGS:'")[headers];

/// `Memory Space: vmem (color=1)`
inline constexpr auto& space = name;
inline constexpr auto space_line = rule<report_memory_space>("space line") =
    on_line<&report_memory_space::text>["Memory Space: " >>
                                        must("the name of a memory space")[into<&report_memory_space::name>[space]] >>
                                        must("' (color='")[" (color="] >>
                                        must("a color")[into<&report_memory_space::color>[number]] >>
                                        must("')' and the end of the line")[')' >> eol]];
/// The form of the reports since 2026-03.
inline constexpr auto report_2026 =
    append<&hlolint::memory_report::spaces>[space_line] >> call<&dump_state::close> >>
    ("Total bytes: " >>
         must("a size in bytes")[last_of<&hlolint::memory_report::spaces>[into<&report_memory_space::total>[number]]] >>
         must("a size in parentheses")[" (" >> x3::omit[human] >> ')' >> eol] |
     missing("'Total bytes: N (SIZE)'")) >>
    space_tables[*(-blank_lines >> value_table)];

/// A report, the rest of a report after lines that cannot be read, or a table alone.
inline constexpr auto report =
    &(total >> eol >> blank_lines >> allocation_list_head) >> within<&read_dump::report>[report_2024] |
    within<&read_dump::report>[report_2026] | when<&read_dump::had_report> >> within<&read_dump::report>[headers] |
    within<&read_dump::report>[lone_table];

}  // namespace hlolint::grammar::dump
