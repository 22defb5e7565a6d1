// The report for code scanning: SARIF 2.1.0, within the limits that GitHub sets.
#pragma once

#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/places.hpp>
#include <hlolint/report/rank_summary_json.hpp>
#include <hlolint/report/rule_list.hpp>
#include <hlolint/report/run_result.hpp>

#include <algorithm>
#include <vector>

namespace hlolint::report {

/// Findings that come from a line of the user's program are placed there first and in the dump second; GitHub shows the
/// first place. Dismissed findings are suppressed results. The comparison of ranks is among the properties of the run.
class sarif_report {
 public:
  static constexpr std::size_t most_results = 25'000;  ///< of one run; GitHub refuses more
  static constexpr std::size_t most_related = 100;     ///< of one result; GitHub shows no more
  /// A page with more information, which validators require.
  static constexpr std::string_view dumps_explained = "https://openxla.org/xla/hlo_dumps";

  /// Precondition: `out` outlives it.
  explicit sarif_report(std::ostream& out) : json_(out) {}

  /// Writes a run. `rules`: all rules that its findings may name.
  void operator()(const run_result& run, const std::vector<rule_entry>& rules) {
    const std::vector<const diagnostic*> shown = choose(run.diagnostics);
    json_.object([&] {
      json_.members("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0");
      json_.array("runs", [&] {
        json_.object([&] {
          json_.object("tool", [&] { json_.object("driver", [&] { driver(run, rules); }); });
          json_.member("columnKind", "unicodeCodePoints");
          json_.array("invocations", [&] { json_.object([&] { invocation(run, shown.size()); }); });
          json_.objects("results", shown, [&](const diagnostic* found) { result(*found, rules); });
          if (run.compared) json_.object("properties", [&] { write_rank_summary_json(json_, *run.compared); });
        });
      });
    });
  }

 private:
  void text(std::string_view name, std::string_view content) {
    json_.object(name, [&] { json_.member("text", content); });
  }

  /// All findings if they are few enough, else the most severe.
  static std::vector<const diagnostic*> choose(const std::vector<diagnostic>& list) {
    std::vector<const diagnostic*> out;
    for (const severity level : {severity::error, severity::warning, severity::note})
      for (const diagnostic& found : list)
        if (found.level == level && out.size() < most_results) out.push_back(&found);
    std::sort(out.begin(), out.end());  // back in their order
    return out;
  }

  void driver(const run_result& run, const std::vector<rule_entry>& rules) {
    json_.member("name", run.tool_name);
    json_.members_if("version", run.tool_version, "semanticVersion", run.tool_version);
    json_.member("informationUri", dumps_explained);
    json_.objects("rules", rules, [&](const rule_entry& entry) { describe(entry); });
  }

  void describe(const rule_entry& entry) {
    const rule& about = entry.about;
    json_.members("id", about.id, "name", pascal_case(about.name));
    text("shortDescription", about.what);
    text("fullDescription", join(about.what, about.why));
    json_.object("help", [&] {
      json_.member("text", join(about.why, about.advice));
      json_.member("markdown", explanation_markdown(entry));
    });
    json_.object("defaultConfiguration", [&] {
      if (about.level == severity::note) json_.member("enabled", false);
      json_.member("level", name_of(about.level));
    });
    json_.object("properties", [&] {
      json_.member("precision", about.level == severity::error     ? "very-high"
                                : about.level == severity::warning ? "high"
                                                                   : "medium");
      json_.member("problem.severity", about.level == severity::note ? "recommendation" : name_of(about.level));
      json_.array("tags", [&] {
        json_.value(group_of_rule(about.id));
        for (const std::string_view reads : entry.reads) json_.value(reads);
      });
    });
  }

  void invocation(const run_result& run, std::size_t shown) {
    const bool all_read = std::all_of(run.inputs.begin(), run.inputs.end(),
                                      [](const input_summary& input) { return input.status == parse_status::ok; });
    json_.member("executionSuccessful", all_read);
    json_.array("toolExecutionNotifications", [&] {
      for (const skipped_check& check : run.skipped)
        notification("note",
                     "'" + check.rule + "' was not checked in module '" + check.module + "': " + check.reason + ".");
      if (shown < run.diagnostics.size())
        notification("warning", "'" + std::to_string(run.diagnostics.size() - shown) +
                                    "' findings of the lowest levels were left out.");
    });
  }
  void notification(std::string_view level, const std::string& message) {
    json_.object([&] {
      json_.member("level", level);
      text("message", message);
    });
  }

  void result(const diagnostic& found, const std::vector<rule_entry>& rules) {
    json_.member("ruleId", found.rule);
    for (std::size_t i = 0; i < rules.size(); ++i)
      if (rules[i].about.id == found.rule) json_.member("ruleIndex", i);
    json_.member("level", name_of(found.level));
    text("message", found.advice.empty() ? sentence(found.message) : sentence(found.message) + "\n" + found.advice);
    json_.array("locations", [&] {
      if (!found.source_file.empty()) json_.object([&] { program_place(found), logical_place(found); });
      json_.object([&] { dump_place(found.where), logical_place(found); });
    });
    if (!found.related.empty())
      json_.array("relatedLocations", [&] {
        for (std::size_t i = 0; i < std::min(found.related.size(), most_related); ++i)
          json_.object([&] {
            json_.member("id", i);
            dump_place(found.related[i].where);
            text("message", found.related[i].message.empty() ? "See also." : sentence(found.related[i].message));
          });
      });
    if (!found.fingerprint.empty())
      json_.object("partialFingerprints", [&] { json_.member("hlolint/v2", found.fingerprint); });
    if (found.dismissed)
      json_.array("suppressions", [&] {
        json_.object([&] {
          const std::string& reason = found.dismissed->reason;
          json_.members("kind", "external", "status", "accepted");
          json_.member("justification", reason.empty() ? "In the baseline." : reason);
        });
      });
    if (found.bytes || found.buffer || !found.op_name.empty()) json_.object("properties", [&] { properties(found); });
  }

  void properties(const diagnostic& found) {
    json_.members_if("bytes", found.bytes, "op_name", found.op_name, "shape", found.shape);
    if (!found.buffer) return;
    json_.members("allocation", found.buffer->allocation, "offset", found.buffer->offset, "size", found.buffer->size,
                  "start", found.buffer->start, "end", found.buffer->end);
  }

  void dump_place(const location& where) {
    json_.object("physicalLocation", [&] {
      json_.object("artifactLocation", [&] { json_.member("uri", uri_of(where.in.path())); });
      json_.object("region", [&] {
        const code_point_region region = region_of(where);
        json_.members("startLine", region.start_line, "startColumn", region.start_column);
        if (region.end_line == region.start_line && region.end_column == region.start_column) return;
        json_.members("endLine", region.end_line, "endColumn", region.end_column);
      });
    });
  }
  void program_place(const diagnostic& found) {
    json_.object("physicalLocation", [&] {
      json_.object("artifactLocation", [&] { json_.member("uri", uri_of(found.source_file)); });
      json_.object("region", [&] { json_.member("startLine", std::max<std::int64_t>(found.source_line, 1)); });
    });
  }
  void logical_place(const diagnostic& found) {
    const std::string name = qualified_name(found);
    if (name.empty()) return;
    json_.array("logicalLocations", [&] {
      json_.object([&] {
        json_.member("fullyQualifiedName", name);
        json_.member("kind", !found.instruction.empty()   ? "instruction"
                             : !found.computation.empty() ? "function"
                                                          : "module");
      });
    });
  }

  static std::string join(std::string_view first, std::string_view second) {
    return std::string(first) + (first.empty() || second.empty() ? "" : " ") + std::string(second);
  }
  static std::string sentence(std::string_view message) {
    std::string out(message);
    if (!out.empty() && out.back() != '.') out += '.';
    return out;
  }
  /// `tile-padding` as `TilePadding`.
  static std::string pascal_case(std::string_view name) {
    std::string out;
    bool upper = true;
    for (const char c : name) {
      if (c != '-') out += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      upper = c == '-';
    }
    return out;
  }

  json_writer json_;
};

}  // namespace hlolint::report
