// Facts that the reports on times for people and for programs share.
#pragma once

#include <hlolint/analysis/device/compiler_flags.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/report/run_result.hpp>
#include <hlolint/report/utf8.hpp>
#include <hlolint/report/wrapped_text.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/tool/costs/launches.hpp>
#include <hlolint/tool/costs/step_summary.hpp>
#include <hlolint/tool/measured/measured_module.hpp>
#include <hlolint/tool/report/time/time_options.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// Why there are no times; empty if there are.
inline std::string missing_for_time(const context& module) {
  if (!module.hlo()) return std::string(reason_without(need::hlo));
  if (module.target() == target::cpu) return "compiled for a CPU; times are estimated for GPUs and TPUs";
  if (!module.hlo()->is_scheduled())
    return std::string(reason_without(need::scheduled)) +
           ": only the text that XLA writes after optimizing has a schedule (..._after_optimizations.txt)";
  if (!module.hlo()->entry()) return "the module has no entry computation";
  return {};
}

/// The step of a module that has one, as measured if it was. Precondition: `missing_for_time` is empty.
inline module_step step_of(const context& module) {
  const step_summary& step = module.get<step_summary>();
  module_step out;
  out.module = module.name();
  out.path = module.hlo()->where().in.path();
  out.device = module.device().name, out.evidence = module.device_evidence();
  out.seconds = step.step, out.compute = step.compute, out.exposed = step.exposed;
  out.utilization = step.utilization, out.unknown_calls = step.unknown_calls;
  out.loops_counted_once = step.loops_counted_once;
  if (!module.device().is_relative()) {  // they mean nothing on a device without a name
    out.recomputed = module.get<recomputation>().seconds();
    const launches& started = module.get<launches>();
    out.launches = std::min(started.short_seconds, out.compute), out.kernels = started.short_kernels;
  }
  if (const measured_module* const measured = module.measured(); measured && measured->step() > 0) {
    out.measured = true;
    out.seconds = measured->step(), out.exposed = measured->exposed(), out.idle = measured->idle();
    out.compute = std::max(0.0, out.seconds - out.exposed - out.idle - measured->copies());
    out.utilization = std::min(1.0, step.utilization * step.step / out.seconds);
    out.unknown_calls = out.loops_counted_once = 0;
    out.recomputed = out.launches = out.kernels = 0;  // estimates
  }
  return out;
}

/// The times of a module and its work by place, which its report and its row of a table share.
struct timed_module {
  /// Precondition: `missing_for_time` is empty.
  timed_module(const hlo_module& module, const device& on, assumed_trips trips)
      : time(module, on, trips), by_source(module, time) {}

  exposed_time time;         ///< of the step
  work_by_source by_source;  ///< the work by place
};

/// How much of a step is the start of kernels, and what helps; empty below a tenth of the step.
inline std::string launches_text(const launches& of, const exposed_time& time, const compiler_flags& flags) {
  constexpr double least = 0.1;
  if (of.kernels <= 0 || of.start_seconds < least * time.step()) return {};
  const long long all = std::llround(of.kernels), shorter = std::llround(of.short_kernels);
  std::string out = std::to_string(all) + (all == 1 ? " kernel takes" : " kernels take") + " at least " +
                    duration_text(of.start_seconds) + " to start: " + share_text(of.start_seconds, time.step()) +
                    " of the step";
  if (shorter > 0)
    out += "; " + (all == 1 ? std::string("it runs") : std::to_string(shorter) + " of them run") +
           " shorter than that, " + share_text(of.short_seconds, time.step()) + " of the step";
  out += ". ";
  const double runs = of.busiest ? time.runs_of(of.busiest) : 0;
  if (runs >= 2 && of.busiest_kernels > 0.5 * of.kernels)
    out += std::to_string(static_cast<std::size_t>(of.busiest_kernels / runs + 0.5)) + " of them run in each of " +
           std::to_string(static_cast<std::size_t>(runs + 0.5)) + " iterations of " + std::string(of.busiest.name()) +
           ": unroll the loop (lax.scan(..., unroll=N)), so that XLA fuses over iterations, or compute them in one "
           "kernel. ";
  // Where the flag is listed, the last of its values is WHILE if that is among them.
  const bool adds_loops = flags.value("xla_gpu_enable_command_buffer") != "WHILE";
  return out + "A larger batch makes each kernel longer; command buffers (CUDA graphs) start them for less" +
         (adds_loops ? ", those of loops with --xla_gpu_enable_command_buffer=+WHILE." : ".");
}

/// Loops of unknown count, if they are counted once: then the estimate is a lower bound of the step.
inline std::size_t loops_counted_once(const exposed_time& time, assumed_trips trips) {
  return trips.times == 1 ? time.loops_of_unknown_count().size() : 0;
}

/// The lowest network rate, in bytes per second and device, that hides a transfer between domains; nothing if any rate
/// or no rate hides it.
inline std::optional<double> break_even_rate(const exposed_transfer& t) {
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

namespace detail {
/// `closed`, `open`, or `closed along x and y` of a torus of several axes.
inline std::string torus_text(const device& d, std::int64_t devices) {
  if (!has_closed_torus(d, devices)) return "open";
  std::string axes;
  bool all = true;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (d.slice.chips[axis] < 2) continue;
    all = all && d.slice.closed[axis];
    if (d.slice.closed[axis]) axes += (axes.empty() ? "" : " and ") + std::string(1, static_cast<char>('x' + axis));
  }
  return all || axes.empty() ? "closed" : "closed along " + axes;
}
}  // namespace detail

/// Where the times of a module come from.
struct time_origin {
  std::string_view device;   ///< `named` by the user, from the files beside the `dump`, a `guess`, or `none`
  double printed_share = 0;  ///< of the work of a step: by times that the dump prints, where they are the better truth
  bool is_measured = false;  ///< whether a profile has the module's times, too
};

/// The origin of times. `work`: of the same module and device.
inline time_origin origin_of(const context& module, const work_by_source& work, const shown_device& on) {
  time_origin out;
  out.device = on.device.is_relative() ? "none" : on.is_named ? "named" : on.evidence.empty() ? "dump" : "guess";
  double all = 0;
  for (const source_work& w : work.list()) {
    all += w.seconds;
    if (w.bound == work_bound::printed) out.printed_share += w.seconds;
  }
  out.printed_share = all > 0 ? out.printed_share / all : 0;
  out.is_measured = module.measured() != nullptr;
  return out;
}

/// `tpu-v5e (from the dump's files); time model 8; 61 % of the work by printed cycles`
inline std::string origin_text(const time_origin& of, const shown_device& on) {
  std::string out = on.device.is_relative() ? std::string("not known: sizes and ratios only (--device names one)")
                                            : printable(on.device.name);
  if (of.device == "dump") out += " (from the dump's files)";
  out += "; time model " + std::to_string(time_model_version);
  if (of.printed_share > 0)
    out +=
        "; " + share_text(of.printed_share, 1) + " of the work by printed " + (on.device.is_tpu() ? "cycles" : "times");
  return out;
}

/// The assumptions behind the times, one sentence each.
inline std::vector<std::string> assumptions_of(const exposed_time& time, const hlo_module& module,
                                               const shown_device& on, const time_options& options) {
  std::vector<std::string> out;
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
                  detail::torus_text(d, devices) +
                  (decided_by_devices ? " (closed from " + std::to_string(d.torus_wraps_from) + " devices on)" : "") +
                  ", " + rate(d.pair_rate) + " per link");
    if (const auto [x, y, z] = slice_of(d, devices); x * y * z > 1)
      out.push_back(
          "chips " + std::to_string(x) + "x" + std::to_string(y) + (z > 1 ? "x" + std::to_string(z) : "") +
          (d.slice.ids.empty() ? " in the order of their numbers" : " in the order of the device assignment"));
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
