// One module of the page's data: its memory, its values in their allocations, its transfers, its timeline, the time of
// a step, and the instructions that the page links.
#pragma once

#include <hlolint/tool/report/html/columns.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/module_picture.hpp>
#include <hlolint/tool/report/time/time_json.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint::report::detail {

/// Writes what takes the time of a step, as members of an object.
inline void write_work(html_columns& to, const work_picture& work) {
  json_writer& json = to.json;
  json.members("utilisation", finite(work.utilization), "bound_ms", finite(work.bound));
  json.members("unknown_calls", work.unknown_calls, "recomputed_ms", finite(work.recomputed));
  json.members("peak_flops", finite(work.peak_flops), "memory_rate", finite(work.memory_rate));
  write_curve_json(json, work.curve);
  json.objects("sums", work.sums, [&](const work_sums& sums) {
    json.member("by", name_of(sums.by));
    to.column("name", sums.groups, [](const work_group& g) { return printable(g.name); });
    to.column("ms", sums.groups, [](const work_group& g) { return finite(g.seconds * 1e3); });
    to.column("exposed_ms", sums.groups, [](const work_group& g) { return finite(g.exposed * 1e3); });
    to.column("matrix_ms", sums.groups, [](const work_group& g) { return finite(g.matrix_seconds * 1e3); });
    to.column("memory_ms", sums.groups, [](const work_group& g) { return finite(g.memory_seconds * 1e3); });
    to.columns(sums.groups, "runs", &work_group::runs, "instruction", &work_group::instruction);
    json.members("more", sums.more, "more_ms", finite(sums.more_seconds * 1e3));
  });
  json.object("rows", [&] {
    using r = work_row;
    to.columns(work.rows, "instruction", &r::instruction, "category", &r::category, "source", &r::source, "function",
               &r::function, "weight", &r::weight, "pass", &r::pass, "bound", &r::bound, "ms", &r::milliseconds,
               "exposed_ms", &r::exposed, "us", &r::microseconds, "runs", &r::runs, "flops", &r::flops, "bytes",
               &r::bytes);
  });
  json.member("more", work.more);
}

/// Writes the instructions, as members of an object. All operands are in one list; `reads` has their number for each
/// instruction.
inline void write_program(html_columns& to, const program_picture& program) {
  json_writer& json = to.json;
  to.column("computations", program.computations, [&](const std::string& name) { return to.number_of(name); });
  const auto& all = program.rows;
  using r = program_row;
  to.columns(all, "instruction", &r::instruction, "opcode", &r::opcode, "shape", &r::shape, "computation",
             &r::computation, "line", &r::line);
  to.column("reads", all, [](const program_row& row) { return row.operands.size(); });
  json.array("operands", [&] {
    for (const program_row& row : all)
      for (const std::size_t operand : row.operands) to.cell(operand);
  });
  to.column("calls", all, [](const program_row& row) {
    return row.calls == program_row::none ? std::optional<std::size_t>{} : std::optional(row.calls);
  });
}

/// Writes members of an object.
class html_module_writer {
 public:
  explicit html_module_writer(html_columns& to) : to_(to), json_(to.json) {}

  void operator()(const module_picture& module) {
    head(module);
    body(module);
  }

  /// The members that differ between otherwise equal modules.
  void head(const module_picture& module) {
    text_member("name", module.name);
    json_.member("target", module.target);
    text_member("entry", module.entry);
    column("files", module.files, [](const std::string& path) { return printable(path); });
  }
  void body(const module_picture& module) {
    text_member("missing", module.missing);
    text_member("advice", module.advice);
    json_.members("estimated", module.estimated, "scheduled", module.scheduled);
    json_.members("last", module.last_position, "unplaced", module.unplaced_transfers);
    json_.members("exposed", module.exposed_transfers, "exposed_bytes", module.exposed_bytes);
    column("sequence", module.sequence, [&](const std::string& name) { return number_of(name); });
    if (module.memory) json_.object("memory", [&] { write_memory(*module.memory); });
    write_out_of_memory(module);
    write_spaces(module);
    write_allocations(module);
    write_values(module);
    write_scopes(module);
    write_overlaps(module);
    write_transfers(module);
    if (module.timeline) json_.object("timeline", [&] { write_timeline(*module.timeline); });
    if (module.measured) json_.object("measured", [&] { write_timeline(*module.measured); });
    if (!module.program.rows.empty()) json_.object("program", [&] { write_program(to_, module.program); });
  }

  /// The columns of the table of modules, for a module whose data are packed.
  void summary(const module_picture& module) {
    head(module);
    json_.members("estimated", module.estimated, "exposed", module.exposed_transfers);
    write_out_of_memory(module);
    if (module.memory)
      json_.object("memory", [&] {
        json_.object("need", [&] {
          json_.members("total", module.memory->need.total, "temporaries", module.memory->need.temporaries);
        });
        if (!module.memory->peak) return;
        json_.member("peak", module.memory->peak->first);
        json_.members("in_use", module.memory->in_use, "padding", module.memory->padding);
      });
    if (module.timeline)
      json_.object("timeline", [&] {
        json_.members("step_ms", finite(module.timeline->step), "at_least", module.timeline->work.at_least,
                      "exposed_ms", finite(module.timeline->exposed));
      });
  }

 private:
  template <class Items, class F>
  void column(std::string_view name, const Items& items, F&& f) {
    to_.column(name, items, std::forward<F>(f));
  }
  void text_member(std::string_view name, std::string_view text) { to_.text_member(name, text); }
  std::size_t number_of(std::string_view text) { return to_.number_of(text); }

  void write_memory(const memory_facts_picture& memory) {
    write_need(json_, memory.need, "total");
    text_member("device", memory.device);
    if (memory.capacity > 0) json_.member("capacity", memory.capacity), json_.member("left", memory.left);
    text_member("main_space", memory.main_space);
    if (memory.peak) json_.members("peak", memory.peak->first, "in_use", memory.in_use, "padding", memory.padding);
    json_.object("resident", [&] {
      to_.columns(memory.resident, "value", &resident_picture::value, "allocation", &resident_picture::allocation,
                  "bytes", &resident_picture::bytes);
      json_.members("more", memory.more_resident, "more_bytes", memory.more_bytes);
    });
    json_.objects("origins", memory.origins, [&](const origin_picture& origin) {
      json_.member("by", name_of(origin.by));
      using group = memory_group;
      to_.columns(origin.groups, "name", &group::name, "bytes", &group::bytes, "allocated", &group::allocated, "items",
                  &group::items, "depth", &group::depth);
      json_.member("more", origin.more);
    });
  }

  void write_out_of_memory(const module_picture& module) {
    json_.objects("out_of_memory", module.out_of_memory, [&](const oom_facts& facts) {
      text_member("message", facts.message);
      json_.members("outcome", name_of(facts.outcome), "phase", name_of(facts.phase));
      text_member("space", facts.memory_space);
      text_member("allocating_for", facts.allocating_for);
      json_.members_if("missing", facts.missing, "wanted", facts.wanted, "needed", facts.needed);
      json_.members_if("capacity", facts.capacity, "expected", facts.expected);
      text_member("advice", facts.advice);
      json_.objects("parts", facts.parts, [&](const oom_part& part) {
        text_member("name", part.name);
        json_.members_if("size", part.size, "unpadded", part.unpadded, "in_pieces", part.in_pieces);
      });
      json_.objects("values", facts.values, [&](const oom_value& v) {
        json_.member("size", v.size);
        json_.member_if("padding", v.padding);
        text_member("kind", v.kind);
        text_member("shape", v.shape);
        text_member("label", v.label);
        text_member("op_name", v.op_name);
        text_member("file", v.file);
        if (v.line > 0) json_.member("line", v.line);
      });
    });
  }

  void write_spaces(const module_picture& module) {
    json_.objects("spaces", module.spaces, [&](const memory_picture& space) {
      json_.members_if("color", space.color, "name", space.name);
      json_.members_if("allocations", space.allocations, "allocated", space.allocated);
      to_.columns(space.steps, "positions", &occupancy_step::position, "bytes", &occupancy_step::bytes);
    });
  }

  void write_allocations(const module_picture& module) {
    using a = allocation_picture;
    json_.object("allocations", [&] {
      to_.columns(module.allocations, "number", &a::number, "kind", &a::kind, "color", &a::color, "size", &a::size,
                  "bound", &a::bound, "first", &a::first_value, "count", &a::value_count);
    });
  }

  void write_values(const module_picture& module) {
    using v = value_rectangle;
    const auto& all = module.values;
    json_.object("values", [&] {
      to_.columns(all, "instruction", &v::instruction, "index", &v::index, "offset", &v::offset, "size", &v::size,
                  "padding", &v::padding);
      column("start", all, [](const v& value) { return value.life ? std::optional(value.life->first) : std::nullopt; });
      column("end", all, [](const v& value) { return value.life ? std::optional(value.life->last) : std::nullopt; });
      to_.columns(all, "shape", &v::shape);
      columns_of_sources(all);
    });
  }

  /// Scopes by op_name, since many values share one.
  void write_scopes(const module_picture& module) {
    std::vector<std::pair<std::size_t, std::size_t>> scopes;
    for (const value_rectangle& v : module.values)
      if (!v.scope.empty()) scopes.emplace_back(number_of(v.source.op_name), number_of(v.scope));
    std::sort(scopes.begin(), scopes.end());
    scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
    json_.object("scopes", [&] {
      column("op_name", scopes, [](const auto& s) { return s.first; });
      column("scope", scopes, [](const auto& s) { return s.second; });
    });
  }

  void write_overlaps(const module_picture& module) {
    using o = overlap_rectangle;
    json_.object("overlaps", [&] {
      to_.columns(module.overlaps, "first", &o::first, "second", &o::second, "kind", &o::kind, "offset", &o::offset,
                  "size", &o::size);
      columns_of_lives(module.overlaps);
    });
  }

  void write_transfers(const module_picture& module) {
    using t = transfer_picture;
    json_.object("transfers", [&] {
      to_.columns(module.transfers, "instruction", &t::instruction, "done", &t::done, "kind", &t::kind);
      columns_of_lives(module.transfers);
      to_.columns(module.transfers, "bytes", &t::bytes, "between", &t::between, "real", &t::real, "collective",
                  &t::collective, "asynchronous", &t::asynchronous, "exposed", &t::exposed);
      columns_of_sources(module.transfers);
    });
  }

  void write_timeline(const timeline_picture& timeline) {
    text_member("device", timeline.device);
    column("assumptions", timeline.assumptions, [](const std::string& text) { return printable(text); });
    json_.members("step_ms", finite(timeline.step), "at_least", timeline.work.at_least);
    json_.members("compute_ms", finite(timeline.compute), "exposed_ms", finite(timeline.exposed));
    json_.members("length", timeline.length, "complete", timeline.complete);
    json_.object("work", [&] { write_work(to_, timeline.work); });
    column("lanes", timeline.lanes, [](const std::string& name) { return printable(name); });
    json_.object("blocks", [&] {
      using b = timeline_block;
      to_.columns(timeline.blocks, "what", &b::what, "lane", &b::lane, "begin", &b::begin, "length", &b::length,
                  "exposed", &b::exposed, "instruction", &b::instruction, "opcode", &b::opcode, "count", &b::count);
    });
    json_.objects("loops", timeline.loops, [&](const timeline_loop& loop) {
      json_.members("instruction", number_of(loop.instruction), "begin", loop.begin, "length", loop.length);
      json_.members("second", loop.second, "trips", finite(loop.trips), "depth", loop.depth);
    });
    json_.objects("transfers", timeline.transfers, [&](const timeline_transfer& t) {
      json_.members("instruction", number_of(t.instruction), "kind", t.kind, "overlap", t.overlap);
      json_.members("bytes", t.wire_bytes, "runs", finite(t.runs), "us", finite(t.microseconds));
      json_.members("exposed_us", finite(t.exposed_microseconds), "total_ms", finite(t.step_milliseconds));
      text_member("source", t.source);
      text_member("blocker", t.blocker);
    });
  }

  template <class Items>
  void columns_of_lives(const Items& all) {
    column("start", all, [](const auto& item) { return item.life.first; });
    column("end", all, [](const auto& item) { return item.life.last; });
  }
  template <class Items>
  void columns_of_sources(const Items& all) {
    column("op_name", all, [&](const auto& item) { return number_of(item.source.op_name); });
    column("file", all, [&](const auto& item) { return number_of(item.source.file); });
    column("line", all, [](const auto& item) { return item.source.line; });
  }

  html_columns& to_;
  json_writer& json_;
};

}  // namespace hlolint::report::detail
