// The same as JSON: members of an object in the common envelope.
#pragma once

#include <hlolint/report/json_writer.hpp>
#include <hlolint/report/time/time_facts.hpp>

#include <cmath>
#include <cstdint>
#include <string_view>

namespace hlolint::report {

namespace detail {

/// A number for JSON, which has none beyond all measure.
inline double finite(double number) { return std::isfinite(number) ? number : 1e300; }

inline void write_transfer(json_writer& json, const exposed_transfer& t, bool relative, double memory_rate) {
  json.member("instruction", t.start.name());
  json.member("computation", t.start.computation().name());
  json.member("line", t.start.where().begin().line);
  json.member("kind", name_of(t.time.kind));
  json.member("path", name_of(t.time.path));
  json.member("devices", t.time.group.devices);
  json.member("wire_bytes", whole_bytes(t.time.wire_bytes));
  json.member("runs", finite(t.runs));
  if (relative) {
    json.member("work_bytes", whole_bytes(t.work_each() * memory_rate));
  } else {
    json.member("transfer_us", finite(t.time.seconds() * 1e6));
    json.member("work_us", finite(t.work_each() * 1e6));
    json.member("exposed_us", finite(t.exposed_each() * 1e6));
    json.member("total_ms", finite(t.exposed * 1e3));
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

}  // namespace detail

/// One object. Times are estimates and left out if the device is not known; `missing` gives the reason if there is
/// nothing.
inline void write_time_json(json_writer& json, const context& module, std::string_view path, const shown_device& on,
                            const time_options& options) {
  json.object([&] {
    json.member("path", path);
    json.member_if("module", module.name());
    if (module.target() != target::unknown) json.member("target", name_of(module.target()));
    const std::string missing = missing_for_time(module);
    json.member_if("missing", missing);
    if (!missing.empty()) return;
    const exposed_time time(*module.hlo(), on.device, options.trips);
    const bool relative = on.device.is_relative();
    json.member_if("device", on.device.name);
    json.values("assumptions", assumptions_of(time, *module.hlo(), on, options));
    if (!relative) {
      json.member("step_ms", detail::finite(time.step() * 1e3));
      json.member("compute_ms", detail::finite(time.compute() * 1e3));
      json.member("exposed_ms", detail::finite(time.exposed() * 1e3));
    }
    json.objects("transfers", time.worst_first(), [&](const exposed_transfer& t) {
      detail::write_transfer(json, t, relative, on.device.memory_rate * on.device.memory_efficiency);
    });
    const work_by_source sorted(*module.hlo(), time);
    json.objects("work", sorted.list(), [&](const source_work& w) {
      json.member_if("program", w.source);
      json.member("kind", w.kind);
      json.member("bound", name_of(w.bound));
      if (!relative) json.member("total_ms", detail::finite(w.seconds * 1e3));
      json.member("share", detail::finite(time.step() > 0 ? w.seconds / time.step() : 0.0));
      json.member("runs", detail::finite(w.runs));
      json.member("instructions", w.instructions);
      json.member("instruction", w.longest.name());
    });
    json.member("unknown_calls", sorted.unknown_calls());
    json.values("loops_of_unknown_count", [&] {
      std::vector<std::string_view> names;
      for (const hlo_instruction loop : time.loops_of_unknown_count()) names.push_back(loop.name());
      return names;
    }());
  });
}

}  // namespace hlolint::report
