// Messages about missing memory in the log of a job, with the lists that may follow them (oom_logs.md 1 to 3). Skips
// all other lines. Lines have no text of loggers around them any more: see logs::job_log.
#pragma once

#include <hlolint/tool/logs/grammar/oom_message.hpp>

#include <boost/spirit/home/x3/directive/repeat.hpp>

namespace hlolint::grammar::dump::oom {

inline constexpr auto usage_head =
    blanks >> "Total " >> word >> " usage >= " >> into<&oom_report::total_usage>[human] >> rest_of_line;
inline constexpr auto requirement_head =
    blanks >> "Program " >> word >> " requirement " >> into<&oom_report::program_requirement>[human] >> rest_of_line;
inline constexpr auto output = blanks >> "Output size " >> x3::omit[human] >>
                               -("; shares " >> x3::omit[human]) >> rest_of_line;

// ------------------------------------------------------------------ buffers, and the fields below them
inline constexpr auto buffer_number = x3::omit[number] >> ". Size: ";
inline constexpr auto stats_line = stated(sentences::statistics);
inline constexpr auto buffer_head =
    on_line<&oom_buffer::text>[-(x3::omit[number] >> ". ") >> "Size: " >>
                                   must("a size with a unit")[into<&oom_buffer::size>[human]] |
                               "Buffer " >> x3::omit[number] >> ':'];
inline constexpr auto text_key = x3::lit("Operator: ") | "Entry Parameter Subshape: " | "Shape: " | "XLA label: " |
                                 "XLA Label: " | "Allocation type: " | "Tag: ";
inline constexpr auto size_key = x3::lit("Size: ") | "Unpadded size: " | "Extra memory due to padding: ";
inline constexpr auto closing = blanks >> "====";
inline constexpr auto part_ahead = report_ahead | debugging | stats_line | stated(sentences::scoped) |
                                   blanks >> ("Total " >> word >> " usage >= " | "Program " >> word >> " requirement " |
                                              x3::lit("Output size ") | "Size: " | buffer_number |
                                              "Buffer " >> x3::omit[number] >> ':');

/// The text of a field, which includes the following lines that begin nothing else.
template <auto Member>
inline constexpr auto field_text =
    into<Member>[rest] >> eol >>
    *(-blank_lines >> extend<Member>[text[!(part_ahead | closing | blanks >> (text_key | size_key)) >> some_rest]] >>
      eol);
inline constexpr auto bad_field = &(blanks >> size_key) >> bad_line(" ", "a size with a unit");
inline constexpr auto bad_buffer = &(blanks >> buffer_number) >> bad_line(" ", "a size with a unit");
inline constexpr auto field =
    "Size: " >> must("a size with a unit")[into<&oom_buffer::size>[human]] >> rest_of_line |
    "Operator: " >> field_text<&oom_buffer::metadata> |
    "Entry Parameter Subshape: " >> set<&oom_buffer::entry_parameter>(true) >> field_text<&oom_buffer::shape> |
    "Shape: " >> field_text<&oom_buffer::shape> |
    "Unpadded size: " >> must("a size with a unit")[into<&oom_buffer::unpadded>[human]] >> rest_of_line |
    "Extra memory due to padding: " >> must("a size with a unit")[into<&oom_buffer::padding>[human]] >> rest_of_line |
    (x3::lit("XLA label: ") | "XLA Label: ") >> field_text<&oom_buffer::label> |
    "Allocation type: " >> field_text<&oom_buffer::allocation_type> | "Tag: " >> field_text<&oom_buffer::tag>;
inline constexpr auto buffer = rule<oom_buffer>("buffer") =
    blanks >> buffer_head >> rest_of_line >> *(blanks >> field | bad_field | !(part_ahead | closing) >> other_line) >>
    -(closing >> rest_of_line >> set<&oom_buffer::closed>(true));

// ------------------------------------------------------------------ contents of memory
/// ` (24.2% utilization: Unpadded (9.96G) Padded (41.10G), 0.7% fragmentation (293.84M))`
inline constexpr auto utilization = &(decimal >> "% utilization") >> into<&oom_usage::utilization>[decimal] >>
                                    "% utilization" >> -(": Unpadded (" >> sized<&oom_usage::unpadded> >>
                                                         ") Padded (" >> sized<&oom_usage::padded> >> ')') >>
                                    -x3::lit(", ");
inline constexpr auto shares = " (" >> -utilization >>
                               -(x3::omit[decimal] >> '%' >>
                                 -(" fragmentation (" >> sized<&oom_usage::fragmented> >> ')')) >>
                               ')';
/// ` (536,870,912 bytes)`: the size of the row in exact bytes.
inline constexpr auto grouped = blanks >> '(' >> blanks >> digits % ',' >> " bytes)";
/// `HLO temp  41.19G (24.2% utilization)`
inline constexpr auto usage_row = rule<oom_usage>("usage row") =
    blanks >> on_line<&oom_usage::text>[into<&oom_usage::label>[row_label] >> -x3::lit(':') >> blanks >>
                                        (sized<&oom_usage::size> | "unknown size") >> -(shares | grouped)] >>
    eol;
inline constexpr auto usage =
    *(!(part_ahead | closing) >> (bad_field | append<&oom_report::usage>[usage_row] | other_line));

// ------------------------------------------------------------------ reports of the allocator of a GPU
// `LargestFreeBlock:` is not read: it is always 0.
inline constexpr auto statistic = "Limit:" >> blanks >>
                                      (sized<&oom_report::capacity> | in_bytes<&oom_report::capacity>) |
                                  "InUse:" >> blanks >> (sized<&oom_report::in_use> | in_bytes<&oom_report::in_use>) |
                                  "Allocator memory summary: rounded request " >> size >>
                                      ", total free in pool " >> sized<&oom_report::free> >>
                                      ", largest free chunk usable by " >> word >>
                                      " end " >> sized<&oom_report::largest_free>;

// ------------------------------------------------------------------ reports
inline constexpr auto stats = stats_line >> rest_of_line >> usage;
inline constexpr auto section = &stated(sentences::scoped) >> !report_ahead >> scoped >> rest_of_line |
                                usage_head >> usage | requirement_head >> usage | output | stats |
                                blanks >> statistic >> rest_of_line | append<&oom_report::buffers>[buffer];
inline constexpr auto sections =
    *(section | bad_buffer | bad_field |
      last_of<&oom_report::buffers>[closing >> rest_of_line >> set<&oom_buffer::closed>(true)] |
      !report_ahead >> other_line);
/// The statistics of an allocator and a few lines after them, before the message: some loggers drop the message of the
/// allocator itself.
inline constexpr auto statistics_before =
    &(blanks >> "Limit:") >>
    x3::repeat(1, 20)[!(head | next_writer) >> (blanks >> statistic >> rest_of_line | other_line)];
inline constexpr auto report = rule<oom_report>("report") = -statistics_before >> head >> sections;
/// The lists of a report of the TPU compiler without the message above them.
inline constexpr auto report_without_head = rule<oom_report>("report without head") =
    &on_line<&oom_report::text>[blanks >>
                                ("Total " >> into<&oom_report::memory_space>[word] >> " usage >= " |
                                 "Program " >> into<&oom_report::memory_space>[word] >> " requirement " |
                                 "Largest program allocations in " >> into<&oom_report::memory_space>[word])] >>
    compiling >> set<&oom_report::without_head>(true) >> -("  Largest program" >> rest_of_line) >> sections;

}  // namespace hlolint::grammar::dump::oom
