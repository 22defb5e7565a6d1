// The report for CI servers that show test results: JUnit's XML.
#pragma once

#include <hlolint/report/markup.hpp>
#include <hlolint/report/rank_summary_text.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <map>
#include <vector>

namespace hlolint::report {

/// One suite per file that was read. Each finding is a failed test case (notes pass, dismissed findings are skipped); a
/// file without findings has one case that passed. The comparison of ranks is a suite of its own.
class junit_report {
 public:
  /// Precondition: `out` outlives it.
  explicit junit_report(std::ostream& out) : out_(out) {}

  /// Writes the suites of a run.
  void operator()(const run_result& run) {
    std::map<std::string, std::vector<const diagnostic*>> suites;
    for (const input_summary& input : run.inputs) suites[input.path];
    for (const diagnostic& found : run.diagnostics) suites[found.where.in.path()].push_back(&found);
    numbers all_numbers;
    for (const auto& [path, cases] : suites) all_numbers += count(cases);
    if (run.compared) all_numbers += numbers{1, 0, 0};
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" << xml_text(run.tool_name) << '"';
    // The schema of Jenkins's xUnit plugin (junit-10.xsd) allows the count of skipped cases in suites only.
    out_ << " tests=\"" << all_numbers.tests << "\" failures=\"" << all_numbers.failures << "\" errors=\"0\">\n";
    for (const auto& [path, cases] : suites) {
      out_ << "  <testsuite name=\"" << xml_text(path) << '"';
      write(count(cases));
      out_ << ">\n";
      if (cases.empty()) out_ << "    <testcase classname=\"" << xml_text(path) << "\" name=\"no findings\"/>\n";
      for (const diagnostic* found : cases) write(*found);
      out_ << "  </testsuite>\n";
    }
    if (run.compared) write(*run.compared);
    out_ << "</testsuites>\n";
  }

 private:
  struct numbers {
    std::size_t tests = 0, failures = 0, skipped = 0;
    void operator+=(const numbers& other) {
      tests += other.tests, failures += other.failures, skipped += other.skipped;
    }
  };
  static numbers count(const std::vector<const diagnostic*>& cases) {
    numbers out{cases.empty() ? std::size_t{1} : cases.size(), 0, 0};
    for (const diagnostic* found : cases) {
      out.skipped += found->dismissed.has_value();
      out.failures += !found->dismissed && found->level != severity::note;
    }
    return out;
  }
  void write(const numbers& n) {
    out_ << " tests=\"" << n.tests << "\" failures=\"" << n.failures << "\" errors=\"0\" skipped=\"" << n.skipped
         << '"';
  }

  void write(const compare::rank_summary& compared) {
    out_ << "  <testsuite name=\"ranks\"";
    write(numbers{1, 0, 0});
    out_ << ">\n    <properties>\n";
    for (const std::string& rank : compared.ranks)
      out_ << "      <property name=\"rank\" value=\"" << xml_text(rank) << "\"/>\n";
    out_ << "    </properties>\n    <testcase classname=\"ranks\" name=\"what was compared\"><system-out>";
    const std::vector<std::string> lines = rank_summary_lines(compared);
    for (std::size_t i = 0; i < lines.size(); ++i) out_ << (i ? "&#10;" : "") << xml_text(lines[i]);
    out_ << "</system-out></testcase>\n  </testsuite>\n";
  }
  void write(const diagnostic& found) {
    const std::string line = std::to_string(found.where.begin().line);
    out_ << "    <testcase classname=\"" << xml_text(found.where.in.path()) << "\" name=\"" << xml_text(found.rule)
         << (found.instruction.empty() ? "" : " ") << xml_text(found.instruction) << " (line " << line << ")\"";
    const std::string text = xml_text(found.where.in.path()) + ":" + line + ": " + std::string(name_of(found.level)) +
                             ": " + xml_text(found.message);
    if (found.dismissed) {
      out_ << "><skipped message=\"" << xml_text(found.dismissed->reason) << "\"/></testcase>\n";
    } else if (found.level == severity::note) {
      out_ << "><system-out>" << text << "</system-out></testcase>\n";
    } else {
      out_ << "><failure type=\"" << xml_text(found.rule) << "\" message=\"" << xml_text(found.message) << "\">"
           << text;
      if (!found.advice.empty()) out_ << "&#10;" << xml_text(found.advice);
      out_ << "</failure></testcase>\n";
    }
  }

  std::ostream& out_;
};

}  // namespace hlolint::report
