// Facts that the reports on times for people and for programs share.
#pragma once

#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/step_summary.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/report/time/time_options.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint::report {

/// Why there are no times; empty if there are.
inline std::string missing_for_time(const context& module) {
  if (!module.hlo()) return std::string(reason_without(need::hlo));
  if (module.target() == target::cpu) return "compiled for a CPU, where nothing runs beside a transfer";
  if (!module.hlo()->is_scheduled())
    return std::string(reason_without(need::scheduled)) +
           ": only the text that XLA writes after optimizing has a schedule (..._after_optimizations.txt)";
  if (!module.hlo()->entry()) return "the module has no entry computation";
  return {};
}

/// The step of a module that has one. Precondition: `missing_for_time` is empty.
inline module_step step_of(const context& module) {
  const step_summary& step = module.get<step_summary>();
  module_step out;
  out.module = module.name();
  out.path = module.hlo()->where().in.path();
  out.device = module.device().name, out.evidence = module.device_evidence();
  out.seconds = step.step, out.compute = step.compute, out.exposed = step.exposed;
  out.utilisation = step.utilisation, out.unknown_calls = step.unknown_calls;
  out.loops_counted_once = step.loops_counted_once;
  return out;
}

/// Loops of unknown count, if they are counted once: then the estimate is a lower bound of the step.
inline std::size_t loops_counted_once(const exposed_time& time, assumed_trips trips) {
  return trips.times == 1 ? time.loops_of_unknown_count().size() : 0;
}

/// The lowest network rate, in bytes per second and device, that hides a transfer between domains; nothing if any rate
/// or no rate hides it.
inline optional<double> break_even_rate(const exposed_transfer& t) {
  const double room = t.work_each() - t.time.latency;
  if (t.time.network_bytes <= 0 || room <= 0 || t.synchronous) return std::nullopt;
  return t.time.network_bytes / room;
}

/// Whether a transfer is too small to be listed: less than 50 us of it are exposed in a step, or would be if it were
/// not hidden (time_model.md 6.3).
inline bool is_small(const exposed_transfer& t) {
  constexpr double little = 50e-6;
  return t.exposed < little && (t.overlap() != exposure_class::tight || t.time.seconds() * t.runs < 2 * little);
}

/// The nearest number of bytes.
inline byte_count whole_bytes(double bytes) {
  return std::isfinite(bytes) && bytes > 0 ? static_cast<byte_count>(std::min(bytes, 9e18)) : 0;
}

/// The assumptions behind the times, one sentence each.
inline record_list<std::string> assumptions_of(const exposed_time& time, const hlo_module& module,
                                               const shown_device& on, const time_options& options) {
  record_list<std::string> out;
  const device& d = on.device;
  const auto rate = [](double bytes_per_second) {
    const double giga = bytes_per_second / 1e9;
    return std::to_string(static_cast<long>(std::lround(giga * 10)) / 10) +
           (std::lround(giga * 10) % 10 ? "." + std::to_string(std::lround(giga * 10) % 10) : "") + " GB/s";
  };
  if (!on.evidence.empty()) out.push_back("the device is a guess from " + on.evidence + "; name it with --device");
  const auto devices = checked_multiply(module.replica_count(), module.num_partitions()).value_or(0);
  if (devices > d.domain_size)
    out.push_back(std::to_string(devices) + " devices in domains of " + std::to_string(d.domain_size) +
                  " with consecutive numbers (--per-node), " + rate(d.network_rate) +
                  " per device between them (--nic)");
  else if (devices > 1)
    out.push_back("all " + std::to_string(devices) + " devices in one domain (--per-node)");
  if (d.is_tpu() && devices > 1) {
    const bool decided_by_devices = d.torus_wraps_from > 1 && d.torus_wraps_from != device::never;
    out.push_back(std::string("rings along ") + (d.torus_axes > 1 ? "several axes" : "one axis") + " of the torus, " +
                  (has_closed_torus(d, devices) ? "closed" : "open") +
                  (decided_by_devices ? " (closed from " + std::to_string(d.torus_wraps_from) + " devices on)" : "") +
                  ", " + rate(d.pair_rate) + " per link");
    if (const std::int64_t width = slice_width(d, devices); width > 1)
      out.push_back("devices " + std::to_string(width) + "x" + std::to_string(devices / width) +
                    " in the order of their numbers");
  }
  if (const std::size_t count = time.loops_of_unknown_count().size())
    out.push_back(counted(count, "loop") + " without a known trip count: counted " +
                  counted(static_cast<std::size_t>(options.trips.times), "time") + " (--trip)");
  if (const std::size_t count = time.loops_of_assumed_count().size())
    out.push_back(std::to_string(count) +
                  (count == 1 ? " loop runs as often as its condition suggests"
                              : " loops run as often as their conditions suggest") +
                  ": start or step are not proven");
  if (!time.is_complete()) out.push_back("calls are nested so deep that not all transfers in them were followed");
  return out;
}

}  // namespace hlolint::report
