// The machine's report: one JSON object (schema 1).
#pragma once

#include <hlolint/lint/fingerprint.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/run_result.hpp>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// Members are only ever added. Arrays are always there, other members without a value are left out. Lines and
/// columns count from 1, columns in bytes.
class json_report {
 public:
  /// `indent` spaces for each level; 0 writes everything on one line.
  explicit json_report(std::ostream& out, int indent = 2) : json_(out, indent) {}

  void operator()(const run_result& run) {
    json_.begin_object();
    json_.member("schema", 1);
    json_.key("tool");
    json_.begin_object();
    json_.member("name", run.tool_name);
    json_.member_if("version", run.tool_version);
    json_.end_object();
    array("inputs", run.inputs);
    array("diagnostics", run.diagnostics);
    array("skipped", run.skipped);
    if (run.compared) compared(*run.compared);
    const level_counts counts = count_levels(run.diagnostics);
    json_.key("summary");
    json_.begin_object();
    json_.member("errors", counts.errors);
    json_.member("warnings", counts.warnings);
    json_.member("notes", counts.notes);
    if (counts.dismissed) json_.member("dismissed", counts.dismissed);
    json_.end_object();
    json_.end_object();
  }

  /// One finding alone.
  void operator()(const diagnostic& found) {
    json_.begin_object();
    members(found);
    json_.end_object();
  }

 private:
  template <class Items>
  void array(std::string_view name, const Items& items) {
    json_.key(name);
    json_.begin_array();
    for (const auto& item : items) {
      json_.begin_object();
      members(item);
      json_.end_object();
    }
    json_.end_array();
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
    if (!found.source_file.empty()) {
      json_.key("source");
      json_.begin_object();
      json_.member("file", found.source_file);
      if (found.source_line > 0) json_.member("line", found.source_line);
      json_.end_object();
    }
    json_.member_if("bytes", found.bytes);
    buffer(found.buffer);
    array("related", found.related);
    json_.member_if("fingerprint", found.fingerprint);
    if (found.dismissed) {
      json_.key("dismissed");
      json_.begin_object();
      json_.member("by", found.dismissed->by_baseline ? "baseline" : "suppression");
      json_.member_if("reason", found.dismissed->reason);
      json_.end_object();
    }
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

  void compared(const rank_summary& ranks) {
    json_.key("compared");
    json_.begin_object();
    names("ranks", ranks.ranks);
    names("unread", ranks.unread);
    names("without_dumps", ranks.without_dumps);
    array("modules", ranks.modules);
    json_.end_object();
  }
  void members(const rank_comparison& module) {
    json_.member("module", module.module);
    array("sides", module.sides);
    names("missing_on", module.missing_on);
  }
  void members(const equal_ranks& side) {
    names("ranks", side.ranks);
    json_.member("collectives", side.collectives);
    json_.member("fingerprint", hex16(side.fingerprint));
  }
  void names(std::string_view name, const std::vector<std::string>& list) {
    json_.key(name);
    json_.begin_array();
    for (const std::string& one : list) json_.value(one);
    json_.end_array();
  }

  void place(const location& where) {
    const line_column begin = where.begin();
    json_.member("path", where.in.path());
    json_.member("line", begin.line);
    json_.member("column", begin.column);
  }

  void buffer(const std::optional<buffer_place>& at) {
    if (!at) return;
    json_.key("buffer");
    json_.begin_object();
    json_.member("allocation", at->allocation);
    json_.member("offset", at->offset);
    json_.member("size", at->size);
    json_.member_if("start", at->start);
    json_.member_if("end", at->end);
    json_.end_object();
  }

  json_writer json_;
};

/// The findings alone, one object of `json_report` on each line.
class json_lines_report {
 public:
  explicit json_lines_report(std::ostream& out) : out_(out) {}
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

}  // namespace hlolint
