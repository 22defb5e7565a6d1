// The report for GitHub Actions: workflow commands that become annotations.
#pragma once

#include <hlolint/report/findings/finding_groups.hpp>
#include <hlolint/report/places.hpp>
#include <hlolint/report/rank_summary_text.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/tool/report/writing.hpp>

namespace hlolint::report {

/// `::%warning title=hlolint (PAD001),file=...,line=...::%message`. A step shows only ten annotations of each level, so
/// the most severe come first, equal findings share one, and one line counts the rest. Findings are placed in the
/// user's program if their line is known.
class github_report {
 public:
  /// Annotations of one level that a step shows.
  static constexpr std::size_t most_of_a_level = 10;

  /// Precondition: `out` outlives it.
  explicit github_report(std::ostream& out) : out_(out) {}

  /// Writes the annotations of a run.
  void operator()(const run_result& run) {
    std::size_t left_out = 0, shown[3]{};
    for (const finding_group& group : group_findings(run.diagnostics, true, finding_order::impact)) {
      if (++shown[static_cast<std::size_t>(group.first().level)] > most_of_a_level)
        left_out += group.findings.size();
      else
        write(group);
    }
    if (run.compared) write(*run.compared);
    if (left_out)
      out_ << "::notice title=hlolint::" << left_out << " more findings are in the other reports of this run\n";
  }

 private:
  void write(const compare::rank_summary& compared) {
    std::string text;
    for (const std::string& line : rank_summary_lines(compared)) text.append(text.empty() ? "" : "\n").append(line);
    out_ << "::notice title=hlolint ranks::" << data(text) << '\n';
  }
  void write(const finding_group& group) {
    const diagnostic& found = group.first();
    out_ << "::" << (found.level == severity::note ? "notice" : name_of(found.level))
         << " title=" << property(run_title(found));
    if (!found.source_file.empty()) {
      out_ << ",file=" << property(found.source_file);
      if (found.source_line > 0) out_ << ",line=" << found.source_line;
    } else {
      const code_point_region region = region_of(found.where);
      out_ << ",file=" << property(found.where.in.path()) << ",line=" << region.start_line
           << ",col=" << region.start_column;
      if (region.end_line == region.start_line && region.end_column > region.start_column)
        out_ << ",endLine=" << region.end_line << ",endColumn=" << region.end_column;
    }
    std::string text = found.message;
    if (!found.source_file.empty())
      text += " (" + found.where.in.path() + ":" + std::to_string(found.where.begin().line) + ")";
    if (group.findings.size() > 1) text += "\n" + sum_text(group);
    if (!found.advice.empty()) text += "\n" + found.advice;
    out_ << "::" << data(text) << '\n';
  }
  static std::string run_title(const diagnostic& found) {
    return "hlolint (" + found.rule + (found.name.empty() ? "" : " ") + found.name + ")";
  }

  /// Characters that would end the command or a property are written as their codes; others are made printable, since a
  /// terminal may show the log.
  static std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::string_view one = text.substr(at, utf8_at(text, at).size);
      out += special.find(one) == special.npos ? printable(one) : detail::percent_code(one.front());
      at += one.size();
    }
    return out;
  }
  static std::string data(std::string_view text) { return escaped(text, "%\r\n"); }
  static std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }

  std::ostream& out_;
};

}  // namespace hlolint::report
