// The machine's report: one JSON object (schema 1).
#pragma once

#include <hlolint/report/findings/cost_lists.hpp>
#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/rank_summary_json.hpp>
#include <hlolint/report/run_result.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace hlolint::report {

/// New versions only add members. Arrays are always there; other members without a value are left out. Lines and
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
      if (!run.steps.empty()) objects("steps", run.steps);
      const bool any_costs = std::any_of(run.diagnostics.begin(), run.diagnostics.end(),
                                         [](const diagnostic& d) { return !d.impacts.empty(); });
      if (any_costs || !run.steps.empty()) costs(run);
      if (run.compared) write_rank_summary_json(json_, *run.compared);
      json_.object("summary", [&] { members(count_levels(run.diagnostics)); });
    });
  }

  /// Writes one finding alone.
  void operator()(const diagnostic& found) {
    json_.object([&] { members(found); });
  }

 private:
  template <class Items>
  void objects(std::string_view name, const Items& items) {
    json_.objects(name, items, [&](const auto& item) { members(item); });
  }

  void members(const input_summary& input) {
    json_.members("path", input.path, "kind", name_of(input.kind));
    json_.member_if("module", input.module);
    if (input.target != target::unknown) json_.member("target", name_of(input.target));
    json_.member("status", name_of(input.status));
    if (input.modules > 1) json_.member("modules", input.modules);
    json_.members("computations", input.computations, "instructions", input.instructions);
    json_.members("allocations", input.allocations, "values", input.values);
    if (!input.parts.empty())
      json_.objects("parts", input.parts, [&](const file_part& p) {
        json_.members("kind", p.what, "line", p.first_line, "end_line", p.last_line);
      });
  }

  void members(const diagnostic& found) {
    json_.member("rule", found.rule);
    json_.member_if("name", found.name);
    json_.members("level", name_of(found.level), "message", found.message);
    place(found.where);
    json_.members_if("module", found.module, "computation", found.computation, "instruction", found.instruction);
    write_source(json_, found.source_file, found.source_line);
    if (found.near)
      json_.object("near", [&] {
        write_source(json_, found.near->source_file, found.near->source_line);
        json_.member_if("op_name", found.near->op_name);
        json_.member("reads_it", found.near->reads_it);
      });
    json_.member_if("bytes", found.bytes);
    if (found.promise)
      json_.members("saves_bytes", found.promise->saves, "certainty", name_of(found.promise->how_sure));
    const auto impact = [&](const finding_impact& one) {
      json_.members("amount", one.amount, "unit", name_of(one.unit));
    };
    if (found.impact) json_.object("impact", [&] { impact(*found.impact); });
    if (!found.impacts.empty()) json_.objects("impacts", found.impacts, impact);
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

  void members(const module_step& step) {
    json_.member("path", step.path);
    json_.members_if("module", step.module, "device", step.device, "guessed_from", step.evidence);
    if (!step.device.empty() || step.measured)
      json_.members("step_ms", step.seconds * 1e3, "compute_ms", step.compute * 1e3, "exposed_ms", step.exposed * 1e3);
    if (!step.device.empty()) json_.member("utilisation", step.utilization);
    if (step.measured) json_.members("measured", true, "idle_ms", step.idle * 1e3);
    json_.members("unknown_calls", step.unknown_calls, "loops_counted_once", step.loops_counted_once);
  }

  /// Both ranked lists, as indices into `diagnostics`, and their sums.
  void costs(const run_result& run) {
    const auto ranking = [&](cost_unit unit) {
      std::vector<std::pair<double, std::size_t>> order;
      for (std::size_t i = 0; i < run.diagnostics.size(); ++i) {
        const diagnostic& d = run.diagnostics[i];
        const double cost = d.dismissed ? 0 : cost_of(detail::sums_of(d), unit);
        if (cost > 0) order.emplace_back(-cost, i);
      }
      std::sort(order.begin(), order.end());
      std::vector<std::size_t> out;
      for (const auto& [cost, i] : order) out.push_back(i);
      return out;
    };
    json_.object("costs", [&] {
      json_.object("time", [&] {
        const double seconds = sum_of_time(run.diagnostics, impact_unit::seconds);
        if (const headroom all = headroom_of(run, true); all.modules > 0)
          json_.members("seconds", seconds, "share_of_step", all.step > 0 ? all.won / all.step : 0.0);
        json_.values("ranking", ranking(cost_unit::time));
      });
      json_.object("memory", [&] {
        json_.member("bytes", clamp_to_int64(sum_of_memory(run.diagnostics)));
        json_.values("ranking", ranking(cost_unit::memory));
      });
    });
  }

  void members(const skipped_check& skipped) {
    json_.member("rule", skipped.rule);
    json_.member_if("module", skipped.module);
    json_.member("reason", skipped.reason);
  }

  void members(const level_counts& counts) {
    json_.members("errors", counts.errors, "warnings", counts.warnings, "notes", counts.notes);
    if (counts.dismissed) json_.member("dismissed", counts.dismissed);
  }

  void place(const location& where) {
    const line_column begin = where.begin();
    json_.members("path", where.in.path(), "line", begin.line, "column", begin.column);
  }

  void buffer(const std::optional<buffer_place>& at) {
    if (!at) return;
    json_.object("buffer", [&] {
      json_.members("allocation", at->allocation, "offset", at->offset);
      json_.members("size", at->size, "start", at->start, "end", at->end);
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
