// The report for GitLab: a Code Quality artifact.
#pragma once

#include <hlolint/report/places.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/tool/report/writing.hpp>

namespace hlolint::report {

/// One array of issues. Findings are placed in the user's program if their line is known.
class gitlab_report {
 public:
  /// Precondition: `out` outlives it.
  explicit gitlab_report(std::ostream& out) : json_(out) {}

  /// Writes the issues of a run.
  void operator()(const run_result& run) {
    json_.array([&] {
      for (const diagnostic& found : run.diagnostics)
        if (!found.dismissed) json_.object([&] { issue(found); });
    });
  }

 private:
  void issue(const diagnostic& found) {
    json_.members("type", "issue", "check_name", found.rule, "description", found.message);
    json_.member("severity", found.level == severity::error     ? "major"
                             : found.level == severity::warning ? "minor"
                                                                : "info");
    json_.member("fingerprint", found.fingerprint);
    const bool in_program = !found.source_file.empty();
    const code_point_region region = in_program ? code_point_region{} : region_of(found.where);
    const std::size_t line =
        in_program ? static_cast<std::size_t>(std::max<std::int64_t>(found.source_line, 1)) : region.start_line;
    json_.object("location", [&] {
      json_.member("path", in_program ? found.source_file : found.where.in.path());
      json_.object("lines", [&] { json_.member("begin", line); });
      json_.object("positions", [&] {
        position("begin", line, region.start_column);
        position("end", in_program ? line : region.end_line, region.end_column);
      });
    });
  }
  void position(const char* name, std::size_t line, std::size_t column) {
    json_.object(name, [&] { json_.members("line", line, "column", column); });
  }

  json_writer json_;
};

}  // namespace hlolint::report
