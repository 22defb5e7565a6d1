// The use of a module's memory, for programs.
#pragma once

#include <hlolint/report/json.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/memory/memory_groups.hpp>
#include <hlolint/tool/report/memory/oom_text.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <concepts>
#include <optional>
#include <sstream>
#include <vector>

namespace hlolint::report {

namespace detail {

/// Peak and steps of a curve.
inline void write_curve(json_writer& json, const occupancy_curve& curve, const buffer_dump& dump) {
  if (curve.empty()) return;
  const std::vector<position_range> peak = curve.peak_positions();
  json.object("peak", [&] {
    json.member("bytes", curve.peak());
    json.array("positions", [&] {
      for (const position_range& r : peak) json.array([&] { json.value(r.first), json.value(r.last); });
    });
    json.member_if("instruction", instruction_at(dump, peak.front().first));
  });
  json.array("curve", [&] {
    for (const occupancy_step& step : curve) json.array([&] { json.value(step.position), json.value(step.bytes); });
  });
}

inline void write_spaces(json_writer& json, const context& module, const memory_profile& facts,
                         const buffer_dump& dump) {
  json.objects("spaces", memory_space_sizes(dump, module.target()), [&](const memory_space_size& space) {
    json.members("color", space.color, "name", memory_space_name(module.target(), space.color));
    json.members("allocations", space.allocations, "allocated", space.bytes);
    write_curve(json, facts.in_use.of_color(space.color), dump);
  });
}

inline void write_allocation(json_writer& json, const memory_profile& facts, const buffer_dump& dump, std::size_t i) {
  const allocation& a = dump.allocations()[i];
  json.members("number", a.number, "kind", kind_of(a));
  if (a.parameter) json.member("parameter", a.parameter->number);
  json.members("color", a.color, "size", a.size);
  if (const packed_allocation* const packed = facts.packing.of_allocation(i)) {
    json.members("bound", packed->bound, "position", packed->position);
    json.members("slack", packed->slack(), "gaps", packed->gaps());
  }
  if (const repacked_allocation* const packed = facts.packed.of_allocation(i); packed && dump.live_ranges()) {
    json.members("repacked", packed->size, "method", name_of(packed->method));
    json.member("alignment", facts.packed.alignment(a.color));
  }
}

inline void write_value(json_writer& json, const context& module, const memory_profile& facts, std::uint32_t number) {
  const buffer_dump& dump = *module.buffers();
  const assigned_value& v = dump.values()[number];
  const live_range& range = *facts.chunks.table().range(number);
  json.members("value", to_string(v.name), "allocation", dump.allocation_of(v).number, "offset", v.offset);
  json.members("size", v.size, "start", range.start, "end", range.end, "shape", to_string(dump.shape(v)));
  const program_place from = program_place_of(module, v);
  json.member_if("op_name", from.op_name);
  write_source(json, from.at.file, from.at.line);
}

/// Writes everything that takes the need at the shown position.
inline void write_resident(json_writer& json, const context& module, const memory_profile& facts,
                           const memory_options& options) {
  const buffer_dump& dump = *module.buffers();
  const std::vector<resident_item> items =
      resident_at(facts.chunks, shown_position(facts, module.target(), options), module.target());
  json.array("resident", [&] {
    for (std::size_t i = 0; i < items.size() && i < options.top; ++i)
      json.object([&] {
        const allocation& a = dump.allocations()[items[i].allocation];
        json.members("bytes", items[i].bytes, "kind", kind_of(a), "allocation", a.number);
        if (items[i].value) json.member("value", to_string(dump.values()[*items[i].value].name));
      });
  });
  if (options.by == memory_by::nothing) return;
  json.member("by", name_of(options.by));
  const bool split = has_gradients(module);
  json.objects("groups", memory_groups(module, items, options.by, options.depth), [&](const memory_group& group) {
    json.members("name", group.name, "bytes", group.bytes, "allocated", group.allocated, "items", group.items);
    if (options.by == memory_by::scope) json.member("depth", group.depth);
    if (split)
      json.object("passes", [&] {
        for (const program_pass pass : known_passes)
          json.member(name_of(pass), group.of_pass[static_cast<std::size_t>(pass)]);
      });
  });
}

inline void write_values(json_writer& json, const context& module, const memory_profile& facts,
                         const memory_options& options) {
  const std::optional<std::int64_t> position = shown_position(facts, module.target(), options);
  if (!position) return;
  const buffer_dump& dump = *module.buffers();
  const std::vector<std::uint32_t> live = values_at(facts.chunks, *position);
  json.object("live", [&] {
    json.member("position", *position);
    json.member_if("instruction", instruction_at(dump, *position));
    json.members("bytes", facts.in_use.total().at(*position), "count", live.size());
    json.array("values", [&] {
      for (std::size_t i = 0; i < live.size() && i < options.top; ++i)
        json.object([&] { write_value(json, module, facts, live[i]); });
    });
  });
}

}  // namespace detail

/// One object. Positions are those of the schedule; a step of a curve is [position, bytes from there on], and
/// `positions` of a peak are [first, last]. Unknown members are left out, and `missing` gives the reason. Without a
/// buffer assignment the numbers of a scheduled module follow from its HLO; `basis` tells how.
inline void write_memory_json(json_writer& json, const context& module, std::string_view path,
                              const memory_options& options) {
  json.object([&] {
    write_module_members(json, path, module.name(), module.target());
    json.member_if("missing", missing_for_memory(module));
    if (module.buffers() && module.buffers()->oom()) write_oom_json(json, *module.buffers()->oom());
    const context& with = with_memory(module);
    if (!with.has(need::buffers)) return;
    if (with.memory_is_estimated()) json.member("estimated", true);
    json.member_if("basis", with.memory_words());
    const buffer_dump& dump = *with.buffers();
    const memory_profile& facts = with.get<memory_profile>();
    detail::write_need(json, memory_need(dump, module.target()), "bytes");
    json.member_if("total_bytes_used", dump.total_bytes_used());
    if (const live_range_block* const block = dump.live_ranges()) {
      json.member("last_position", last_position(dump));
      if (block->peak_known)
        json.object("printed_peak", [&] {
          json.member("position", block->peak_position);
          json.member_if("instruction", instruction_at(dump, block->peak_position));
          json.member("bytes", detail::bytes_at_printed_peak(*block, facts));
        });
    }
    if (const auto peak = detail::peak_of_compiler(with)) {
      json.member("peak_memory_in_bytes", peak->total());
      if (!peak->has_heap) json.member("peak_memory_counts_temporaries", false);
    }
    detail::write_curve(json, facts.in_use.total(), dump);
    detail::write_spaces(json, with, facts, dump);
    json.array("allocations", [&] {
      for (std::size_t i = 0; i < dump.allocations().size(); ++i)
        json.object([&] { detail::write_allocation(json, facts, dump, i); });
    });
    detail::write_values(json, with, facts, options);
    detail::write_resident(json, with, facts, options);
  });
}

/// Writes the common envelope, with further members before its closing bracket. `members`: the text of an object.
inline void write_enveloped(std::ostream& out, const run_result& run, const std::string& members) {
  std::ostringstream envelope;
  json_report report(envelope);
  report(run);
  const std::string text = envelope.str();
  out << text.substr(0, text.rfind("\n}")) << ',' << members.substr(1);
}
/// The same with the members that `write(json)` writes. It may fill `run`, which is read after it.
template <std::invocable<json_writer&> F>
void write_enveloped(std::ostream& out, const run_result& run, F&& write) {
  std::ostringstream members;
  json_writer json(members);
  json.object([&] { write(json); });
  write_enveloped(out, run, members.str());
}

}  // namespace hlolint::report
