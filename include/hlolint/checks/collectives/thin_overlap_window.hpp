// COL003: a transfer with about as much work between its start and its done as it takes.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The class "tight" of time_model.md 6.3. If options give the rates, times are a roofline of these rates.
struct thin_overlap_window {
  static constexpr rule about{
      .id = "COL003",
      .name = "thin-overlap-window",
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what =
          "The work between the start and the done of an asynchronous collective takes about as long as the "
          "transfer: two thirds to one and a half of its time. A note, unless what is not hidden takes a twentieth of "
          "the step.",
      .why =
          "Whether the transfer is hidden depends on the network: if the network is a little slower than assumed, "
          "or the work a little faster, the step waits.",
      .advice =
          "Look for independent work that could move into the window, or cut the transfer into parts that fit. "
          "Name the device, the devices per node and the rate of the network (--device, --per-node, --nic) for "
          "a better estimate.",
      .example =
          "%start = f32[1024,4096]{1,0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, "
          "use_global_device_ids=true, to_apply=%add\n"
          "%n = f32[8192,4096]{1,0} negate(%q)\n"
          "%done = f32[1024,4096]{1,0} all-reduce-done(%start)",
      .source = "XLA: latency_hiding_scheduler.cc; openxla/xla #1539"};

  byte_count min_bytes = 1_MiB;
  double flops_per_second = 0;
  double bytes_per_second = 0;
  double memory_bytes_per_second = 0;
  double min_ratio = 1;
  int max_real = 0;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &thin_overlap_window::min_bytes,
                        "smaller transfers are not reported (operands or result, the bigger)"},
                 option{"flops-per-second", &thin_overlap_window::flops_per_second,
                        "what the device computes; 0 = that of --device"},
                 option{"bytes-per-second", &thin_overlap_window::bytes_per_second,
                        "what one device sends to the others; 0 = that of --device"},
                 option{"memory-bytes-per-second", &thin_overlap_window::memory_bytes_per_second,
                        "with these rates, what the device's memory delivers; 0 = do not count it"},
                 option{"min-ratio", &thin_overlap_window::min_ratio,
                        "with these rates, windows with a smaller transfer time / work time are fine"},
                 option{"max-real", &thin_overlap_window::max_real,
                        "windows with more instructions that do work are fine; 0 = however many there are"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/checks/collectives/exposure.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

namespace col003 {

inline constexpr std::size_t max_named = 3;

inline void find(const thin_overlap_window& limits, const context& dump, detail::exposure exposed, bool own_rates,
                 sink_ref emit) {
  const auto& windows = dump.get<async_windows>();
  for (const exposed_transfer& t : exposed.time().transfers()) {
    const double whole = t.time.seconds(), beside = t.work_each();
    const bool thin = own_rates
                          ? beside > 0 && whole >= limits.min_ratio * beside
                          : t.overlap() == exposure_class::tight && !exposed.waits_for_others(t);  // those are COL002's
    if (t.synchronous || t.computes || t.time.kind == hlo_opcode::copy || !thin ||
        !exposed.counts(t, limits.min_bytes, 0))
      continue;
    const async_window* const w = windows.started_by(t.start);
    if (limits.max_real > 0 && !own_rates && w && w->real > static_cast<std::size_t>(limits.max_real)) continue;
    std::string message = detail::transfer_text(kinds_text(t.time), exposed.bytes_of(t));
    message += t.exposed_each() > 0.2 * whole ? " is hidden only in part: " : " is only just hidden: ";
    if (exposed.has_times())
      append_to(message, {"it takes ", estimate_text(whole), " beside ", estimate_text(beside), " of work"});
    else
      append_to(message, {"the work beside it is ", share_text(beside, whole), " of what it takes on common devices"});
    finding d = exposed.finding_of({&t, t.exposed}, std::move(message));
    if (own_rates || !exposed.is_notable(t)) d.level = severity::note;
    if (t.done) d.related.push_back(related_at(t.done, "its done"));
    std::size_t named = 0;
    if (w && w->done)
      for (const hlo_instruction i : w->inside())
        if (windows.is_real(i) && named++ < max_named) d.related.push_back(related_at(i, "work inside"));
    exposed.add_remedy({&t, t.exposed}, d);
    emit(std::move(d));
  }
}

/// A device with the rates of the options only: no latencies or overheads, everything at full rate.
inline device device_of(const thin_overlap_window& rates) {
  device d;
  d.name = "the rates of COL003's options";
  d.fabric = fabric::pcie;
  d.f16_flops = d.f8_flops = d.f32_flops = d.f64_flops = d.vector_ops = rates.flops_per_second;
  d.bus_rate = d.pair_rate = d.network_rate = d.host_rate = rates.bytes_per_second;
  d.memory_rate = rates.memory_bytes_per_second;
  d.matmul_efficiency = d.f32_matmul_efficiency = d.attention_efficiency = d.memory_efficiency = 1;
  d.kernel_overhead = d.matmul_overhead = d.latency_factor = 0;
  return d;
}

}  // namespace col003

HLOLINT_INLINE void thin_overlap_window::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;
  if (!(flops_per_second > 0 && bytes_per_second > 0))
    return col003::find(*this, dump, detail::exposure(dump), false, emit);
  const exposed_time time(*dump.hlo(), col003::device_of(*this));
  col003::find(*this, dump, detail::exposure(dump, time), true, emit);
}

}  // namespace hlolint
#endif
