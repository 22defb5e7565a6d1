// The machine's report: one JSON object (schema 1).
#pragma once

#include <hlolint/report/compare/rank_summary_json.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/run_result.hpp>

#include <optional>
#include <ostream>
#include <string_view>

namespace hlolint::report {

/// Members are only ever added. Arrays are always there, other members without a value are left out. Lines and
/// columns count from 1, columns in bytes.
class json_report {
 public:
  /// `indent` spaces for each level; 0 writes everything on one line.
  explicit json_report(std::ostream& out, int indent = 2) : json_(out, indent) {}

  /// Writes a run as one object.
  void operator()(const run_result& run) {
    json_.object([&] {
      json_.member("schema", 1);
      json_.object("tool", [&] {
        json_.member("name", run.tool_name);
        json_.member_if("version", run.tool_version);
      });
      objects("inputs", run.inputs);
      objects("diagnostics", run.diagnostics);
      objects("skipped", run.skipped);
      if (run.compared) write_rank_summary_json(json_, *run.compared);
      json_.object("summary", [&] { members(count_levels(run.diagnostics)); });
    });
  }

  /// One finding alone.
  void operator()(const diagnostic& found) {
    json_.object([&] { members(found); });
  }

 private:
  template <class Items>
  void objects(std::string_view name, const Items& items) {
    json_.objects(name, items, [&](const auto& item) { members(item); });
  }

  void members(const input_summary& input) {
    json_.member("path", input.path);
    json_.member("kind", name_of(input.kind));
    json_.member_if("module", input.module);
    if (input.target != target::unknown) json_.member("target", name_of(input.target));
    json_.member("status", name_of(input.status));
    if (input.modules > 1) json_.member("modules", input.modules);
    json_.member_if("computations", input.computations);
    json_.member_if("instructions", input.instructions);
    json_.member_if("allocations", input.allocations);
    json_.member_if("values", input.values);
  }

  void members(const diagnostic& found) {
    json_.member("rule", found.rule);
    json_.member_if("name", found.name);
    json_.member("level", name_of(found.level));
    json_.member("message", found.message);
    place(found.where);
    json_.member_if("module", found.module);
    json_.member_if("computation", found.computation);
    json_.member_if("instruction", found.instruction);
    write_source(json_, found.source_file, found.source_line);
    json_.member_if("bytes", found.bytes);
    if (found.impact)
      json_.object("impact", [&] {
        json_.member("amount", found.impact->amount);
        json_.member("unit", name_of(found.impact->unit));
      });
    buffer(found.buffer);
    objects("related", found.related);
    json_.member_if("fingerprint", found.fingerprint);
    if (found.dismissed)
      json_.object("dismissed", [&] {
        json_.member("by", found.dismissed->by_baseline ? "baseline" : "suppression");
        json_.member_if("reason", found.dismissed->reason);
      });
  }

  void members(const related_place& other) {
    place(other.where);
    json_.member_if("instruction", other.instruction);
    buffer(other.buffer);
    json_.member_if("message", other.message);
  }

  void members(const skipped_check& skipped) {
    json_.member("rule", skipped.rule);
    json_.member_if("module", skipped.module);
    json_.member("reason", skipped.reason);
  }

  void members(const level_counts& counts) {
    json_.member("errors", counts.errors);
    json_.member("warnings", counts.warnings);
    json_.member("notes", counts.notes);
    if (counts.dismissed) json_.member("dismissed", counts.dismissed);
  }

  void place(const location& where) {
    const line_column begin = where.begin();
    json_.member("path", where.in.path());
    json_.member("line", begin.line);
    json_.member("column", begin.column);
  }

  void buffer(const std::optional<buffer_place>& at) {
    if (!at) return;
    json_.object("buffer", [&] {
      json_.member("allocation", at->allocation);
      json_.member("offset", at->offset);
      json_.member("size", at->size);
      json_.member_if("start", at->start);
      json_.member_if("end", at->end);
    });
  }

  json_writer json_;
};

/// The findings alone, one object of `json_report` on each line.
class json_lines_report {
 public:
  /// Precondition: `out` outlives it.
  explicit json_lines_report(std::ostream& out) : out_(out) {}
  /// Writes the findings of a run.
  void operator()(const run_result& run) {
    for (const diagnostic& found : run.diagnostics) {
      json_report report(out_, 0);
      report(found);
      out_ << '\n';
    }
  }

 private:
  std::ostream& out_;
};

}  // namespace hlolint::report
