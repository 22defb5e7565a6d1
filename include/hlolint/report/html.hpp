// The report for a browser: one file that needs no other and no network.
#pragma once

#include <hlolint/report/html/data.hpp>
#include <hlolint/report/html/page.hpp>
#include <hlolint/report/module_picture.hpp>
#include <hlolint/report/rule_list.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <ostream>

namespace hlolint::report {

/// What a page is for: what has no part in it is not shown, unless there is something to say.
enum class page_subject : std::uint8_t {
  findings,  ///< everything
  pictures   ///< modules, of which no rule was asked; findings are problems of reading
};

/// Findings with the explanations of their rules, memory over the schedule, values in their allocations, and transfers.
/// The page is the same for every run; what differs is one JSON text in it (`write_html_data`).
class html_report {
 public:
  /// Precondition: `out` outlives it.
  explicit html_report(std::ostream& out) : out_(out) {}

  /// `modules` in any order, those of `picture_of`; `rules` may hold more than the findings name.
  void operator()(const run_result& run, const record_list<module_picture>& modules,
                  const record_list<rule_entry>& rules, page_subject of = page_subject::findings) {
    for (const std::string_view part : html_page_head) out_ << part;
    write_html_data(out_, run, modules, rules, of == page_subject::findings);
    for (const std::string_view part : html_page_tail) out_ << part;
  }

 private:
  std::ostream& out_;
};

}  // namespace hlolint::report
