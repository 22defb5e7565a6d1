// Exposed time and work as JSON: members of an object in the common envelope.
#pragma once

#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/report/time/time_facts.hpp>
#include <hlolint/report/writing.hpp>

#include <cmath>

namespace hlolint::report {

namespace detail {

inline void write_transfer(json_writer& json, const exposed_transfer& t, bool relative, double memory_rate) {
  json.members({{"instruction", t.start.name()}, {"computation", t.start.computation().name()},
                {"line", t.start.where().begin().line}, {"kind", name_of(t.time.kind)}, {"path", name_of(t.time.path)},
                {"devices", t.time.group.devices}, {"wire_bytes", whole_bytes(t.time.wire_bytes)},
                {"runs", finite(t.runs)}});
  if (relative) {
    json.member("work_bytes", whole_bytes(t.work_each() * memory_rate));
  } else {
    json.members({{"transfer_us", finite(t.time.seconds() * 1e6)}, {"work_us", finite(t.work_each() * 1e6)},
                  {"exposed_us", finite(t.exposed_each() * 1e6)}, {"total_ms", finite(t.exposed * 1e3)}});
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
  json.members({{"instruction", cost.instruction.name()}, {"computation", cost.instruction.computation().name()},
                {"line", cost.instruction.where().begin().line}, {"category", cost.category},
                {"flops", finite(cost.flops)}, {"bytes", whole_bytes(cost.bytes)},
                {"transferred_bytes", whole_bytes(cost.transferred_bytes)}});
  if (!relative)
    json.members({{"us", finite(cost.seconds * 1e6)}, {"compute_us", finite(cost.compute_seconds * 1e6)},
                  {"memory_us", finite(cost.memory_seconds * 1e6)},
                  {"transfer_us", finite(cost.transfer_seconds * 1e6)}, {"exposed_us", finite(cost.exposed * 1e6)}});
  json.members({{"runs", finite(cost.runs)}, {"bound", cost.bound}, {"of_peak", finite(cost.of_peak())}});
}

/// Writes the requested sums, and a row for each instruction.
inline void write_costs(json_writer& json, const hlo_module& module, const exposed_time& time, bool relative,
                        const time_options& options) {
  if (relative && options.by == time_by::nothing && !options.instructions) return;
  const instruction_costs costs(module, time);
  if (!relative)
    json.members({{"utilisation", finite(step_summary(module, time).utilisation)},
                  {"matrix_bound_ms", finite(costs.matrix_bound() * 1e3)},
                  {"headroom_ms", finite(std::max(0.0, time.step() - costs.matrix_bound()) * 1e3)}});
  if (options.instructions)
    json.objects("instructions", costs.rows(),
                 [&](const instruction_cost& cost) { write_instruction(json, cost, relative); });
  if (options.by == time_by::nothing) return;
  optional<weights_read> weights;
  if (options.by == time_by::weight) weights.emplace(module);
  json.member("by", name_of(options.by));
  json.objects("groups", group_step(costs, options.by, weights ? &*weights : nullptr), [&](const step_group& g) {
    json.member("name", g.name);
    if (!relative)
      json.members({{"total_ms", finite(g.seconds * 1e3)}, {"exposed_ms", finite(g.exposed * 1e3)},
                    {"matrix_ms", finite(g.matrix_seconds * 1e3)}, {"memory_ms", finite(g.memory_seconds * 1e3)}});
    json.members({{"share", finite(costs.step() > 0 ? g.seconds / costs.step() : 0.0)}, {"runs", finite(g.runs)},
                  {"instructions", g.instructions}});
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
    if (!relative) {
      json.members({{"at_least", sorted.unknown_calls() + loops_counted_once(time, options.trips) > 0},
                    {"step_ms", detail::finite(time.step() * 1e3)},
                    {"compute_ms", detail::finite(time.compute() * 1e3)},
                    {"exposed_ms", detail::finite(time.exposed() * 1e3)}});
    }
    json.objects("transfers", time.worst_first(), [&](const exposed_transfer& t) {
      detail::write_transfer(json, t, relative, on.device.memory_rate * on.device.memory_efficiency);
    });
    json.objects("work", sorted.list(), [&](const source_work& w) {
      json.member_if("program", w.source);
      json.members({{"kind", w.kind}, {"bound", name_of(w.bound)}});
      if (!relative) json.member("total_ms", detail::finite(w.seconds * 1e3));
      json.members({{"share", detail::finite(time.step() > 0 ? w.seconds / time.step() : 0.0)},
                    {"runs", detail::finite(w.runs)}, {"instructions", w.instructions},
                    {"instruction", w.longest.name()}});
    });
    json.member("unknown_calls", sorted.unknown_calls());
    detail::write_costs(json, *module.hlo(), time, relative, options);
    const auto names_of = [](const record_list<hlo_instruction>& loops) {
      record_list<std::string_view> names;
      for (const hlo_instruction loop : loops) names.push_back(loop.name());
      return names;
    };
    json.values("loops_of_unknown_count", names_of(time.loops_of_unknown_count()));
    json.values("loops_of_assumed_count", names_of(time.loops_of_assumed_count()));
  });
}

}  // namespace hlolint::report
