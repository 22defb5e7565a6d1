// The report for people: each finding with the line it stands in.
#pragma once

#include <hlolint/report/findings/finding_order.hpp>
#include <hlolint/text/diagnostic.hpp>

#include <cstddef>
#include <optional>
#include <ostream>
#include <set>
#include <string>

namespace hlolint::report {

struct run_result;
class text_writer;

/// How the text report looks.
struct text_options {
  bool colors = false;      ///< escape sequences for terminals
  bool concise = false;     ///< one line for each finding
  std::size_t width = 100;  ///< columns of a source line that are shown
  std::size_t wrap = 0;     ///< columns of the terminal that messages are wrapped to; 0 = no wrapping
  bool together = true;     ///< equal findings of several instructions and modules as one, unless `concise`
  finding_order order = finding_order::impact;  ///< in which findings are listed
  std::optional<std::size_t> top{};             ///< how many findings, or groups of them, are shown; nothing = all
  bool statistics = false;                      ///< numbers of each rule instead of findings
};

/// The stream of a text report, and the advice that it has written.
struct text_output {
  std::ostream& stream;            ///< what is written to
  text_options options;            ///< how
  std::set<std::string> advice{};  ///< already written: each piece is written once
};

/// Writes one finding.
void write_text(text_output& to, const diagnostic& found);
/// Writes a run, with its summary.
void write_text(text_output& to, const run_result& run);
/// Writes the files of a run, one line each, and what could not be read.
void write_inputs(text_output& to, const run_result& run);

/// `path:line:column: level: message [RULE name]`, the source line with a mark under the place, the other places of
/// the finding, and advice (each piece of advice once). A sink for single findings, or a renderer of a whole run.
class text_report {
 public:
  /// Precondition: `out` outlives it.
  explicit text_report(std::ostream& out, const text_options& options = {}) : to_{out, options} {}

  /// Writes one finding.
  void operator()(const diagnostic& found) { write_text(to_, found); }
  /// Writes a run, with its summary.
  void operator()(const run_result& run) { write_text(to_, run); }
  /// Writes the files of a run, one line each, and what could not be read.
  void inputs(const run_result& run) { write_inputs(to_, run); }

 private:
  text_output to_;
};

}  // namespace hlolint::report

namespace hlolint {
using report::text_report;  // part of what a rule of one's own needs (check.hpp)
}

#ifndef HLOLINT_COMPILED
#include <hlolint/report/text_writer.hpp>
#endif
