// The report for a browser: one file that needs no other and no network.
#pragma once

#include <hlolint/report/rule_list.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/tool/report/html/data.hpp>
#include <hlolint/tool/report/html/parts.hpp>
#include <hlolint/tool/report/module_picture.hpp>

#include <ostream>
#include <sstream>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// Findings with the explanations of their rules, memory over the schedule, values in their allocations, and transfers.
/// Only one JSON text in the page differs between runs: texts of dumps are made printable and cannot leave its strings,
/// and browsers round bytes and positions above 2^53. `modules` are made by `picture_of` and may be in any order;
/// `rules` may hold more rules than the findings name. `checked`: rules ran; if not, empty sections about findings are
/// hidden.
inline void write_html(std::ostream& out, const run_result& run, const std::vector<module_picture>& modules,
                       const std::vector<rule_entry>& rules, bool checked = true) {
  for (const std::string_view part : parts::report_head) out << part;
  std::ostringstream data;
  detail::html_data_writer write(data);
  write(run, modules, rules, checked);
  detail::write_for_script(out, data.str());
  for (const std::string_view part : parts::report_tail) out << part;
}

}  // namespace hlolint::report
