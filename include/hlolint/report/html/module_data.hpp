// One module of the page's data: its memory, its values in their allocations, its transfers and its timeline.
#pragma once

#include <hlolint/report/html/columns.hpp>
#include <hlolint/report/html/cost_data.hpp>
#include <hlolint/report/memory/memory_facts.hpp>
#include <hlolint/report/module_picture.hpp>
#include <hlolint/report/time/time_json.hpp>
#include <hlolint/report/writing.hpp>
#include <hlolint/text/containers/sort_records.hpp>

namespace hlolint::report::detail {

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
    json_.member("estimated", module.estimated);
    json_.member("scheduled", module.scheduled);
    json_.member("last", module.last_position);
    json_.member("unplaced", module.unplaced_transfers);
    json_.member("exposed", module.exposed_transfers);
    json_.member("exposed_bytes", module.exposed_bytes);
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
    json_.member("estimated", module.estimated);
    json_.member("exposed", module.exposed_transfers);
    write_out_of_memory(module);
    if (module.memory)
      json_.object("memory", [&] {
        json_.object("need", [&] {
          json_.member("total", module.memory->need.total);
          json_.member("temporaries", module.memory->need.temporaries);
        });
        if (!module.memory->peak) return;
        json_.member("peak", module.memory->peak->first);
        json_.member("in_use", module.memory->in_use);
        json_.member("padding", module.memory->padding);
      });
    if (module.timeline)
      json_.object("timeline", [&] {
        json_.member("step_ms", finite(module.timeline->step));
        json_.member("exposed_ms", finite(module.timeline->exposed));
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
    if (memory.peak) {
      json_.member("peak", memory.peak->first);
      json_.member("in_use", memory.in_use);
      json_.member("padding", memory.padding);
    }
    json_.object("resident", [&] {
      column("value", memory.resident, [](const resident_picture& r) { return r.value; });
      column("allocation", memory.resident, [](const resident_picture& r) { return r.allocation; });
      column("bytes", memory.resident, [](const resident_picture& r) { return r.bytes; });
      json_.member("more", memory.more_resident);
      json_.member("more_bytes", memory.more_bytes);
    });
    json_.objects("origins", memory.origins, [&](const origin_picture& origin) {
      json_.member("by", name_of(origin.by));
      column("name", origin.groups, [&](const memory_group& g) { return number_of(g.name); });
      column("bytes", origin.groups, [](const memory_group& g) { return g.bytes; });
      column("allocated", origin.groups, [](const memory_group& g) { return g.allocated; });
      column("items", origin.groups, [](const memory_group& g) { return g.items; });
      column("depth", origin.groups, [](const memory_group& g) { return g.depth; });
      json_.member("more", origin.more);
    });
  }

  void write_out_of_memory(const module_picture& module) {
    json_.objects("out_of_memory", module.out_of_memory, [&](const oom_facts& facts) {
      text_member("message", facts.message);
      json_.member("outcome", name_of(facts.outcome));
      json_.member("phase", name_of(facts.phase));
      text_member("space", facts.memory_space);
      text_member("allocating_for", facts.allocating_for);
      json_.member_if("missing", facts.missing);
      json_.member_if("wanted", facts.wanted);
      json_.member_if("needed", facts.needed);
      json_.member_if("capacity", facts.capacity);
      json_.member_if("expected", facts.expected);
      text_member("advice", facts.advice);
      json_.objects("parts", facts.parts, [&](const oom_part& part) {
        text_member("name", part.name);
        json_.member_if("size", part.size);
        json_.member_if("unpadded", part.unpadded);
        json_.member_if("in_pieces", part.in_pieces);
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
      json_.member_if("color", space.color);
      json_.member_if("name", space.name);
      json_.member("allocations", space.allocations);
      json_.member_if("allocated", space.allocated);
      column("positions", space.steps, [](const occupancy_step& step) { return step.position; });
      column("bytes", space.steps, [](const occupancy_step& step) { return step.bytes; });
    });
  }

  void write_allocations(const module_picture& module) {
    json_.object("allocations", [&] {
      const auto& all = module.allocations;
      column("number", all, [](const allocation_picture& a) { return a.number; });
      column("kind", all, [&](const allocation_picture& a) { return number_of(a.kind); });
      column("color", all, [](const allocation_picture& a) { return a.color; });
      column("size", all, [](const allocation_picture& a) { return a.size; });
      column("bound", all, [](const allocation_picture& a) { return a.bound; });
      column("first", all, [](const allocation_picture& a) { return a.first_value; });
      column("count", all, [](const allocation_picture& a) { return a.value_count; });
    });
  }

  void write_values(const module_picture& module) {
    json_.object("values", [&] {
      const auto& all = module.values;
      column("instruction", all, [&](const value_rectangle& v) { return number_of(v.instruction); });
      column("index", all, [&](const value_rectangle& v) { return number_of(v.index); });
      column("offset", all, [](const value_rectangle& v) { return v.offset; });
      column("size", all, [](const value_rectangle& v) { return v.size; });
      column("padding", all, [](const value_rectangle& v) { return v.padding; });
      column("start", all, [](const value_rectangle& v) { return v.life ? optional(v.life->first) : std::nullopt; });
      column("end", all, [](const value_rectangle& v) { return v.life ? optional(v.life->last) : std::nullopt; });
      column("shape", all, [&](const value_rectangle& v) { return number_of(v.shape); });
      columns_of_sources(all);
    });
  }

  /// Scopes by op_name, since many values share one.
  void write_scopes(const module_picture& module) {
    record_list<std::pair<std::size_t, std::size_t>> scopes;
    for (const value_rectangle& v : module.values)
      if (!v.scope.empty()) scopes.emplace_back(number_of(v.source.op_name), number_of(v.scope));
    sort_records(scopes);
    scopes.erase(std::unique(scopes.begin(), scopes.end()), scopes.end());
    json_.object("scopes", [&] {
      column("op_name", scopes, [](const auto& s) { return s.first; });
      column("scope", scopes, [](const auto& s) { return s.second; });
    });
  }

  void write_overlaps(const module_picture& module) {
    json_.object("overlaps", [&] {
      const auto& all = module.overlaps;
      column("first", all, [](const overlap_rectangle& o) { return o.first; });
      column("second", all, [](const overlap_rectangle& o) { return o.second; });
      column("kind", all, [&](const overlap_rectangle& o) { return number_of(o.kind); });
      column("offset", all, [](const overlap_rectangle& o) { return o.offset; });
      column("size", all, [](const overlap_rectangle& o) { return o.size; });
      column("start", all, [](const overlap_rectangle& o) { return o.life.first; });
      column("end", all, [](const overlap_rectangle& o) { return o.life.last; });
    });
  }

  void write_transfers(const module_picture& module) {
    json_.object("transfers", [&] {
      const auto& all = module.transfers;
      column("instruction", all, [&](const transfer_picture& t) { return number_of(t.instruction); });
      column("done", all, [&](const transfer_picture& t) { return number_of(t.done); });
      column("kind", all, [&](const transfer_picture& t) { return number_of(t.kind); });
      column("start", all, [](const transfer_picture& t) { return t.life.first; });
      column("end", all, [](const transfer_picture& t) { return t.life.last; });
      column("bytes", all, [](const transfer_picture& t) { return t.bytes; });
      column("between", all, [](const transfer_picture& t) { return t.between; });
      column("real", all, [](const transfer_picture& t) { return t.real; });
      column("collective", all, [](const transfer_picture& t) { return t.collective; });
      column("asynchronous", all, [](const transfer_picture& t) { return t.asynchronous; });
      column("exposed", all, [](const transfer_picture& t) { return t.exposed; });
      columns_of_sources(all);
    });
  }

  void write_timeline(const timeline_picture& timeline) {
    text_member("device", timeline.device);
    column("assumptions", timeline.assumptions, [](const std::string& text) { return printable(text); });
    json_.member("step_ms", finite(timeline.step));
    json_.member("compute_ms", finite(timeline.compute));
    json_.member("exposed_ms", finite(timeline.exposed));
    json_.member("length", timeline.length);
    json_.member("complete", timeline.complete);
    json_.object("work", [&] { write_work(to_, timeline.work); });
    column("lanes", timeline.lanes, [](const std::string& name) { return printable(name); });
    json_.object("blocks", [&] {
      const auto& all = timeline.blocks;
      column("what", all, [&](const timeline_block& b) { return number_of(b.what); });
      column("lane", all, [](const timeline_block& b) { return b.lane; });
      column("begin", all, [](const timeline_block& b) { return b.begin; });
      column("length", all, [](const timeline_block& b) { return b.length; });
      column("exposed", all, [](const timeline_block& b) { return b.exposed; });
      column("instruction", all, [&](const timeline_block& b) { return number_of(b.instruction); });
      column("opcode", all, [&](const timeline_block& b) { return number_of(b.opcode); });
      column("count", all, [](const timeline_block& b) { return b.count; });
    });
    json_.objects("loops", timeline.loops, [&](const timeline_loop& loop) {
      json_.member("instruction", number_of(loop.instruction));
      json_.member("begin", loop.begin);
      json_.member("length", loop.length);
      json_.member("second", loop.second);
      json_.member("trips", finite(loop.trips));
      json_.member("depth", loop.depth);
    });
    json_.objects("transfers", timeline.transfers, [&](const timeline_transfer& t) {
      json_.member("instruction", number_of(t.instruction));
      json_.member("kind", t.kind);
      json_.member("overlap", t.overlap);
      json_.member("bytes", t.wire_bytes);
      json_.member("runs", finite(t.runs));
      json_.member("us", finite(t.microseconds));
      json_.member("exposed_us", finite(t.exposed_microseconds));
      json_.member("total_ms", finite(t.step_milliseconds));
      text_member("source", t.source);
      text_member("blocker", t.blocker);
    });
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
