// The report for a comment on a pull request, or any other page in Markdown.
#pragma once

#include <hlolint/ir/source_position.hpp>
#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/markup.hpp>
#include <hlolint/report/rank_summary_text.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <vector>

namespace hlolint::report {

/// A table of the findings, the most severe first and equal findings as one row. A last line counts the rows that are
/// not shown.
class markdown_report {
 public:
  /// Most rows of the table.
  static constexpr std::size_t most_rows = 50;

  /// Precondition: `out` outlives it.
  explicit markdown_report(std::ostream& out) : out_(out) {}

  /// Writes the table of a run.
  void operator()(const run_result& run) {
    const level_counts counts = count_levels(run.diagnostics);
    out_ << "### hlolint: " << counted(counts.errors, "error") << ", " << counted(counts.warnings, "warning") << ", "
         << counted(counts.notes, "note") << " in " << counted(run.inputs.size(), "file") << '\n';
    if (run.compared) write(*run.compared);
    const std::size_t wanted = counts.errors + counts.warnings + counts.notes;
    if (wanted) out_ << "\n| level | rule | where | what |\n|---|---|---|---|\n";
    std::size_t rows = 0, left_out = 0;
    for (const finding_group& group : group_findings(run.diagnostics, true, finding_order::impact)) {
      if (rows++ < most_rows)
        row(group);
      else
        left_out += group.findings.size();
    }
    if (left_out > 0) out_ << "\n" << left_out << " more are not shown.\n";
    if (counts.dismissed)
      out_ << "\n" << counted(counts.dismissed, "finding") << " dismissed by suppressions or the baseline.\n";
  }

 private:
  /// The first line of the summary is a sentence, the others become a list.
  void write(const compare::rank_summary& compared) {
    const std::vector<std::string> lines = rank_summary_lines(compared);
    out_ << '\n' << markdown_text(lines.front()) << '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) out_ << (i == 1 ? "\n- " : "- ") << markdown_text(lines[i]) << '\n';
  }
  void row(const finding_group& group) {
    const diagnostic& found = group.first();
    const auto name = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
    out_ << "| " << name_of(found.level) << " | " << markdown_text(found.rule) << " | ";
    if (!found.source_file.empty())
      out_ << markdown_code(file_and_line(found.source_file, found.source_line)) << "<br>";
    out_ << markdown_code(std::string(name(found.where.in.path())) + ":" + std::to_string(found.where.begin().line))
         << " | " << markdown_text(found.message);
    if (group.findings.size() > 1) out_ << "<br>" << markdown_text(sum_text(group));
    out_ << " |\n";
  }

  std::ostream& out_;
};

}  // namespace hlolint::report
