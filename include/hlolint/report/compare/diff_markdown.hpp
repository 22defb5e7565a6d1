// What changed between two compilations, for a comment on a pull request.
#pragma once

#include <hlolint/report/compare/change_words.hpp>
#include <hlolint/report/markup.hpp>
#include <hlolint/text/diagnostic.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <ostream>
#include <string>

namespace hlolint::report {

/// A table of the changes; long ones end with a line that gives the number not shown. `problems`: of reading.
inline void write_diff_markdown(std::ostream& out, const compare::program_diff& found,
                                const record_list<diagnostic>& problems = {}) {
  constexpr std::size_t most_rows = 50;
  out << "### hlolint diff: " << detail::summary_words(found) << '\n';
  if (!found.changes.empty()) out << "\n| | module | what | old | new | change |\n|---|---|---|---:|---:|---:|\n";
  std::size_t rows = 0;
  for (const compare::change_verdict verdict :
       {compare::change_verdict::worse, compare::change_verdict::better, compare::change_verdict::neither})
    for (const compare::module_change& change : found.changes) {
      if (change.verdict != verdict || rows++ >= most_rows) continue;
      out << "| " << (verdict == compare::change_verdict::worse ? "**worse**" : name_of(verdict)) << " | "
          << (change.module.empty() ? std::string{} : markdown_code(change.module)) << " | "
          << markdown_text(detail::change_words(change));
      for (const compare::changed_number& number : change.with)
        out << "<br>" << markdown_text(number.what + ": " + detail::change_words(number));
      if (const std::string names = detail::instruction_words(change); !names.empty())
        out << "<br>" << markdown_text(names);
      out << " | ";
      if (const auto& number = change.number)
        out << compare::number_text(number->before, number->unit) << " | "
            << compare::number_text(number->after, number->unit) << " | "
            << markdown_text(compare::difference_text(*number)) << " |\n";
      else
        out << "| | |\n";
    }
  if (rows > most_rows) out << '\n' << rows - most_rows << " more are not shown.\n";
  if (!found.remarks.empty() || !problems.empty()) out << '\n';
  for (const std::string& remark : found.remarks) out << "- " << markdown_text(remark) << '\n';
  for (const diagnostic& problem : problems)
    if (problem.level == severity::error)
      out << "- " << markdown_code(std::string(problem.where.in.path())) << ": " << markdown_text(problem.message)
          << '\n';
}

}  // namespace hlolint::report
