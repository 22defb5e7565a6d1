// The report for a browser: one file that needs no other and no network.
#pragma once

#include <hlolint/report/rule_list.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/tool/report/html/data.hpp>
#include <hlolint/tool/report/html/parts.hpp>
#include <hlolint/tool/report/module_picture.hpp>

#include <cstdint>
#include <ostream>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// What a page is about. Empty sections that do not belong to the subject are hidden.
enum class page_subject : std::uint8_t {
  findings,  ///< everything
  pictures   ///< modules only: no rule ran, so findings are problems of reading
};

/// Findings with the explanations of their rules, memory over the schedule, values in their allocations, and transfers.
/// Only one JSON text in the page differs between runs (`write_html_data`).
class html_report {
 public:
  /// Precondition: `out` outlives it.
  explicit html_report(std::ostream& out) : out_(out) {}

  /// `modules` are made by `picture_of` and may be in any order; `rules` may hold more rules than the findings name.
  void operator()(const run_result& run, const std::vector<module_picture>& modules,
                  const std::vector<rule_entry>& rules, page_subject of = page_subject::findings) {
    for (const std::string_view part : parts::report_head) out_ << part;
    write_html_data(out_, run, modules, rules, of == page_subject::findings);
    for (const std::string_view part : parts::report_tail) out_ << part;
  }

 private:
  std::ostream& out_;
};

}  // namespace hlolint::report
