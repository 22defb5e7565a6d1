// Exposed time and work as JSON: members of an object in the common envelope.
#pragma once

#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/lint/kept_results.hpp>
#include <hlolint/tool/costs/instruction_costs.hpp>
#include <hlolint/tool/costs/launches.hpp>
#include <hlolint/tool/report/time/time_facts.hpp>
#include <hlolint/tool/report/writing.hpp>

#include <optional>
#include <vector>

namespace hlolint::report {

namespace detail {

inline void write_transfer(json_writer& json, const exposed_transfer& t, bool relative, double memory_rate) {
  json.members("instruction", t.start.name(), "computation", t.start.computation().name());
  json.members("line", t.start.where().begin().line, "kind", kinds_text(t.time), "path", name_of(t.time.path));
  json.members("devices", t.time.group.devices, "wire_bytes", whole_bytes(t.time.wire_bytes), "runs", finite(t.runs));
  if (relative) {
    json.member("work_bytes", whole_bytes(t.work_each() * memory_rate));
  } else {
    json.members("transfer_us", finite(t.time.seconds() * 1e6), "work_us", finite(t.work_each() * 1e6));
    json.members("exposed_us", finite(t.exposed_each() * 1e6), "total_ms", finite(t.exposed * 1e3));
  }
  json.member("class", name_of(t.overlap()));
  if (t.done) json.member("done", t.done.name());
  if (t.blocker) json.member("blocked_by", t.blocker.name());
  if (const auto rate = relative ? std::nullopt : break_even_rate(t))
    json.member("break_even_gb_per_s", finite(*rate / 1e9));
  const program_place from = program_place_of(t.start);
  write_source(json, from.at.file, from.at.line);
  json.member_if("op_name", from.op_name);
}

/// Writes an instruction with the times of one run.
inline void write_instruction(json_writer& json, const instruction_cost& cost, bool relative) {
  json.members("instruction", cost.instruction.name(), "computation", cost.instruction.computation().name());
  json.members("line", cost.instruction.where().begin().line, "category", cost.category, "flops", finite(cost.flops));
  json.members("bytes", whole_bytes(cost.bytes), "transferred_bytes", whole_bytes(cost.transferred_bytes));
  if (!relative) {
    json.members("us", finite(cost.seconds * 1e6), "compute_us", finite(cost.compute_seconds * 1e6));
    json.members("memory_us", finite(cost.memory_seconds * 1e6), "transfer_us", finite(cost.transfer_seconds * 1e6));
    json.member("exposed_us", finite(cost.exposed * 1e6));
    if (cost.scheduled > 0) json.member("scheduled_us", finite(cost.scheduled * 1e6));
  }
  json.members("runs", finite(cost.runs), "bound", cost.bound, "of_peak", finite(cost.of_peak()));
}

/// Writes the parts of a group in the passes of a training step.
inline void write_passes(json_writer& json, const step_group& group) {
  json.object("passes", [&] {
    for (const program_pass pass : known_passes)
      json.member(std::string(name_of(pass)) + "_ms", finite(group.of_pass[static_cast<std::size_t>(pass)] * 1e3));
  });
}

/// Writes what a step computes again, and what could be kept; nothing if it computes nothing again.
inline void write_recomputed(json_writer& json, const context& module, const exposed_time& time) {
  const recomputation again(*module.hlo(), time);
  if (again.seconds() <= 0) return;
  const std::optional<byte_count> room = free_memory(module);
  const kept_results fits(again, room.value_or(0));
  json.object("recomputed", [&] {
    json.member("total_ms", finite(again.seconds() * 1e3));
    json.member("share", finite(time.step() > 0 ? again.seconds() / time.step() : 0.0));
    json.member_if("free_bytes", room);
    std::size_t number = 0;
    json.objects("keeps", again.keeps(), [&](const keepable_result& one) {
      json.members("instruction", one.instructions.front().name(), "shape", one.shape, "copies", finite(one.copies),
                   "bytes", one.bytes, "saves_ms", finite(one.seconds * 1e3), "fits", number++ < fits.list.size());
      write_source(json, one.from.at.file, one.from.at.line);
      json.member_if("op_name", one.from.op_name);
    });
    if (!fits.list.empty()) json.member("how", how_to_keep(fits.list));
  });
}

/// Writes the starts of kernels; nothing on a device without any.
inline void write_launches(json_writer& json, const hlo_module& module, const exposed_time& time) {
  const launches found(module, time);
  if (found.kernels <= 0) return;
  json.object("launches", [&] {
    json.members("kernels", finite(found.kernels), "start_ms", finite(found.start_seconds * 1e3));
    json.members("short_kernels", finite(found.short_kernels), "short_kernels_ms", finite(found.short_seconds * 1e3));
    if (found.busiest) json.members("computation", found.busiest.name(), "runs", finite(time.runs_of(found.busiest)));
  });
}

/// Writes the requested sums, and a row for each instruction.
inline void write_costs(json_writer& json, const hlo_module& module, const exposed_time& time, bool relative,
                        const time_options& options) {
  if (relative && options.by == time_by::nothing && !options.instructions) return;
  const instruction_costs costs(module, time);
  if (!relative) {
    json.member("utilisation", finite(step_summary(module, time).utilization));
    json.member("matrix_bound_ms", finite(costs.matrix_bound() * 1e3));
    json.member("memory_bound_ms", finite(costs.memory_bound() * 1e3));
    json.member("headroom_ms", finite((time.step() - costs.bound()) * 1e3));
  }
  if (options.instructions)
    json.objects("instructions", costs.rows(),
                 [&](const instruction_cost& cost) { write_instruction(json, cost, relative); });
  if (options.by == time_by::nothing) return;
  const step_grouping grouping(module, options.by, options.depth);
  json.member("by", name_of(options.by));
  json.objects("groups", group_step(costs, grouping), [&](const step_group& g) {
    json.member("name", g.name);
    if (!relative) {
      json.members("total_ms", finite(g.seconds * 1e3), "exposed_ms", finite(g.exposed * 1e3));
      json.members("matrix_ms", finite(g.matrix_seconds * 1e3), "memory_ms", finite(g.memory_seconds * 1e3));
      json.member("transfers_ms", finite(g.transfer_seconds * 1e3));
    }
    json.member("sent_bytes", whole_bytes(g.sent_bytes));
    if (!relative && grouping.passes().has_gradients()) write_passes(json, g);
    json.members("share", finite(costs.step() > 0 ? g.seconds / costs.step() : 0.0), "runs", finite(g.runs),
                 "instructions", g.instructions);
    if (g.longest) json.member("instruction", g.longest.name());
  });
}

}  // namespace detail

/// One object. Times are estimates, and left out if the device is not known; `missing` gives the reason if there are
/// none.
inline void write_time_json(json_writer& json, const context& module, std::string_view path, const shown_device& on,
                            const time_options& options) {
  json.object([&] {
    write_module_members(json, path, module.name(), module.target());
    const std::string missing = missing_for_time(module);
    json.member_if("missing", missing);
    if (!missing.empty()) return;
    const exposed_time time(*module.hlo(), on.device, options.trips);
    const bool relative = on.device.is_relative();
    json.member_if("device", on.device.name);
    json.values("assumptions", assumptions_of(time, *module.hlo(), on, options));
    const work_by_source sorted(*module.hlo(), time);
    const time_origin origin = origin_of(module, sorted, on);
    json.object("origin", [&] {
      json.members("device", origin.device, "time_model", time_model_version);
      json.members("printed_share", detail::finite(origin.printed_share), "measured", origin.is_measured);
    });
    if (!relative) {
      json.member("at_least", sorted.unknown_calls() + loops_counted_once(time, options.trips) > 0);
      json.members("step_ms", detail::finite(time.step() * 1e3), "compute_ms", detail::finite(time.compute() * 1e3));
      json.members("exposed_ms", detail::finite(time.exposed() * 1e3), "other_streams_ms",
                   detail::finite(time.other_streams() * 1e3));
    }
    json.objects("transfers", time.worst_first(), [&](const exposed_transfer& t) {
      detail::write_transfer(json, t, relative, on.device.memory_rate * on.device.memory_efficiency);
    });
    json.objects("work", sorted.list(), [&](const source_work& w) {
      json.member_if("program", w.source);
      json.members("kind", w.kind, "bound", name_of(w.bound));
      if (!relative) json.member("total_ms", detail::finite(w.seconds * 1e3));
      json.member("share", detail::finite(time.step() > 0 ? w.seconds / time.step() : 0.0));
      json.members("runs", detail::finite(w.runs), "instructions", w.instructions, "instruction", w.longest.name());
    });
    json.member("unknown_calls", sorted.unknown_calls());
    detail::write_costs(json, *module.hlo(), time, relative, options);
    if (!relative) {
      detail::write_recomputed(json, module, time);
      detail::write_launches(json, *module.hlo(), time);
    }
    const auto names_of = [](const std::vector<hlo_instruction>& loops) {
      std::vector<std::string_view> names;
      for (const hlo_instruction loop : loops) names.push_back(loop.name());
      return names;
    };
    json.values("loops_of_unknown_count", names_of(time.loops_of_unknown_count()));
    json.values("loops_of_assumed_count", names_of(time.loops_of_assumed_count()));
  });
}

}  // namespace hlolint::report
