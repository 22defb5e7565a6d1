// Out-of-memory reports (buffer_dumps.md 7). They come inside logs, so lines may have prefixes, and lines of other
// writers are passed over.
#pragma once

#include <hlolint/grammar/buffers/lines.hpp>

namespace hlolint::grammar::dump::oom {

inline constexpr auto prefix = rare<>("prefix") = [] {
  return x3::omit[token<&scan::lines::log_prefix>{}];
};
inline constexpr token<&scan::lines::plain_word> word{};
inline constexpr token<&scan::lines::words> label{};
inline constexpr auto rest_of_line = rare<>("rest of line") = [] {
  return x3::omit[rest] >> eol;
};
inline constexpr auto other_line = rare<>("other line") = [] {
  return !x3::eoi >> rest_of_line;
};

// ------------------------------------------------------------------ the heads of reports
inline constexpr auto ran_out = rare<>("ran out") = [] {
  return on_line<&oom_report::text>[
    somewhere("Ran out of memory in memory space ") >> into<&oom_report::memory_space>[word] >>
    -(" while allocating on stack for " >> into<&oom_report::allocating_for>[some_rest]) >>
    -(". Used " >> into<&oom_report::used>[human] >> " of " >> into<&oom_report::capacity>[human] >> ' ' >> word >>
      ". Exceeded " >> word >> " capacity by " >> into<&oom_report::exceeded>[human]) >> rest_of_line];
};
inline constexpr auto debugging = rare<>("debugging") = [] {
  return on_line<&oom_report::text>[somewhere("BufferAssignment OOM Debugging.") >> rest_of_line];
};
inline constexpr auto stats_line = rare<>("stats line") = [] {
  return somewhere("BufferAssignment stats:");
};
inline constexpr auto scoped = rare<>("scoped") = [] {
  return somewhere("Scoped allocation with size ") >> into<&oom_report::used>[human] >> " and limit " >>
    into<&oom_report::capacity>[human] >> " exceeded scoped " >> word >> " limit by " >> into<&oom_report::exceeded>[human] >> rest_of_line;
};

inline constexpr auto usage_head = rare<>("usage head") = [] {
  return prefix >> blanks >> "Total " >> word >> " usage >= " >> into<&oom_report::total_usage>[human] >> rest_of_line;
};
inline constexpr auto requirement_head = rare<>("requirement head") = [] {
  return prefix >> blanks >> "Program " >> word >> " requirement " >> into<&oom_report::program_requirement>[human] >> rest_of_line;
};
inline constexpr auto output = rare<>("output") = [] {
  return prefix >> blanks >> "Output size " >> into<&oom_report::output>[human] >>
                               -("; shares " >> into<&oom_report::output_shared>[human]) >> rest_of_line;
};

// ------------------------------------------------------------------ buffers, and the fields below them
inline constexpr auto buffer_number = rare<>("buffer number") = [] {
  return number >> ". Size: ";
};
inline constexpr auto buffer_head = rare<>("buffer head") = [] {
  return on_line<&oom_buffer::text>[
    into<&oom_buffer::number>[number] >> ". Size: " >> must("a size with a unit")[into<&oom_buffer::size>[human]] |
    "Buffer " >> into<&oom_buffer::number>[number] >> ':'];
};
inline constexpr auto text_key = rare<>("text key") = [] {
  return x3::lit("Operator: ") | "Entry Parameter Subshape: " | "Shape: " | "XLA label: " | "XLA Label: " |
                                 "Allocation type: " | "Tag: ";
};
inline constexpr auto size_key = rare<>("size key") = [] {
  return x3::lit("Size: ") | "Unpadded size: " | "Extra memory due to padding: ";
};
inline constexpr auto closing = rare<>("closing") = [] {
  return prefix >> blanks >> "====";
};
inline constexpr auto report_ahead = rare<>("report ahead") = [] {
  return somewhere("Ran out of memory in memory space ") | somewhere("BufferAssignment OOM Debugging.") | stats_line;
};
inline constexpr auto part_ahead = rare<>("part ahead") = [] {
  return report_ahead | somewhere("Scoped allocation with size ") |
    prefix >> blanks >> ("Total " >> word >> " usage >= " | "Program " >> word >> " requirement " | x3::lit("Output size ") |
                         buffer_number | "Buffer " >> number >> ':');
};

/// The text of a field; it goes on in lines that are nothing else.
template <auto Member>
inline constexpr auto field_text =
    into<Member>[rest] >> eol >>
    *(-blank_lines >> extend<Member>[!(part_ahead | closing | prefix >> blanks >> (text_key | size_key)) >> some_rest] >> eol);
inline constexpr auto bad_field = rare<>("bad field") = [] {
  return prefix >> &(blanks >> size_key) >> bad_line(" ", "a size with a unit");
};
inline constexpr auto bad_buffer = rare<>("bad buffer") = [] {
  return prefix >> &(blanks >> buffer_number) >> bad_line(" ", "a size with a unit");
};
inline constexpr auto field = rare<>("field") = [] {
  return "Size: " >> must("a size with a unit")[into<&oom_buffer::size>[human]] >> rest_of_line |
    "Operator: " >> field_text<&oom_buffer::metadata> |
    "Entry Parameter Subshape: " >> set<&oom_buffer::entry_parameter>(true) >> field_text<&oom_buffer::shape> |
    "Shape: " >> field_text<&oom_buffer::shape> |
    "Unpadded size: " >> must("a size with a unit")[into<&oom_buffer::unpadded>[human]] >> rest_of_line |
    "Extra memory due to padding: " >> must("a size with a unit")[into<&oom_buffer::padding>[human]] >>
        -(" (" >> into<&oom_buffer::expansion>[decimal] >> "x expansion)") >> rest_of_line |
    (x3::lit("XLA label: ") | "XLA Label: ") >> field_text<&oom_buffer::label> |
    "Allocation type: " >> field_text<&oom_buffer::allocation_type> | "Tag: " >> field_text<&oom_buffer::tag>;
};
inline constexpr auto buffer = rare<oom_buffer>("buffer") = [] {
  return prefix >> blanks >> buffer_head >> rest_of_line >>
    *(prefix >> blanks >> field | bad_field | !(part_ahead | closing) >> other_line) >>
    -(closing >> rest_of_line >> set<&oom_buffer::closed>(true));
};

// ------------------------------------------------------------------ what memory holds
/// ` (24.2% utilization: Unpadded (9.96G) Padded (41.10G), 0.7% fragmentation (293.84M))`
inline constexpr auto shares = rare<>("shares") = [] {
  return " (" >> -(into<&oom_usage::utilization>[decimal] >> "% utilization" >>
              -(": Unpadded (" >> into<&oom_usage::unpadded>[human] >> ") Padded (" >> into<&oom_usage::padded>[human] >> ')') >>
              -x3::lit(", ")) >>
    -(into<&oom_usage::fragmentation>[decimal] >> '%' >> -(" fragmentation (" >> into<&oom_usage::fragmented>[human] >> ')')) >> ')';
};
/// `HLO temp  41.19G (24.2% utilization)`, in the list `usage`, `requirement` or `stats`.
constexpr auto usage_row(std::string_view section) {
  return rule<oom_usage>("usage") = set<&oom_usage::section>(section) >> prefix >> blanks >>
             on_line<&oom_usage::text>[into<&oom_usage::label>[label] >> -x3::lit(':') >> ' ' >> blanks >>
                                       (into<&oom_usage::size>[human] | "unknown size") >> -shares] >> rest_of_line;
}
constexpr auto usage(std::string_view section) {
  return *(!part_ahead >> (bad_field | append<&oom_report::usage>[usage_row(section)] | other_line));
}

// ------------------------------------------------------------------ reports
/// The statistics stand alone or below the heading.
inline constexpr auto stats = rare<>("stats") = [] {
  return stats_line >> rest_of_line >> usage("stats");
};
inline constexpr auto section = rare<>("section") = [] {
  return scoped | usage_head >> usage("usage") | requirement_head >> usage("requirement") | output |
         append<&oom_report::buffers>[buffer];
};
/// What comes after the head of a report, or after its first section.
inline constexpr auto sections = rare<>("sections") = [] {
  return *(section | bad_buffer | bad_field |
           last_of<&oom_report::buffers>[closing >> rest_of_line >> set<&oom_buffer::closed>(true)] |
           !report_ahead >> other_line);
};
inline constexpr auto report = rare<oom_report>("report") = [] {
  return ran_out >> sections | debugging >> *(!report_ahead >> other_line) >> -stats >> sections |
         on_line<&oom_report::text>[stats_line] >> rest_of_line >> usage("stats") >> sections | section >> sections;
};

/// A log with reports in it.
inline constexpr auto log = rare<>("log") = [] {
  return within<&read_dump::log>[*(append<&oom_log::reports>[report] | bad_buffer | bad_field | other_line)];
};

}  // namespace hlolint::grammar::dump::oom
