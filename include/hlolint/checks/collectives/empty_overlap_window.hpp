// COL002: a transfer with much less work between its start and its done than would hide it.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Patterns N1, N2, N3 and N7 of scheduling.md 5, the class "exposed" of time_model.md 6.3 and, as a note, N8.
struct empty_overlap_window {
  static constexpr rule about{
      .id = "COL002",
      .name = "empty-overlap-window",
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what =
          "An asynchronous transfer between devices is exposed: there is no work between its start and its done, "
          "or less than two thirds of what would hide it. For copies, and for computations of other threads, "
          "this is a note; for copies between host and device only below a twentieth of the step.",
      .why = "The device waits for the rest of the transfer, which is added to the step time.",
      .advice =
          "Give the scheduler independent work to place in the window: look at what produces the operand, what "
          "waits for the result, and at control-predecessors.",
      .example =
          "%start = f32[1024,4096]{1,0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, "
          "use_global_device_ids=true, to_apply=%add\n"
          "%done = f32[1024,4096]{1,0} all-reduce-done(%start)",
      .source = "XLA: convert_async_collectives_to_sync.cc, latency_hiding_scheduler.cc"};

  byte_count min_bytes = 1_MiB;
  double min_exposed_us = 50;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &empty_overlap_window::min_bytes,
                        "smaller transfers (operands or result, the bigger) only count for their share of the step"},
                 option{"min-exposed-us", &empty_overlap_window::min_exposed_us,
                        "if the device is known: transfers that cost less in a step only count for their share of it"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/checks/collectives/exposure.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/kept_results.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

namespace col002 {

inline constexpr std::size_t max_named = 4;

/// Adds transfers that begin in the window and take at least a tenth of the time of this one: smaller ones explain
/// nothing, and the start of a transfer is enough.
inline void add_transfers_inside(const async_window& w, const exposed_transfer& t, const detail::exposure& exposed,
                                 finding& d) {
  constexpr double much = 0.1;
  std::size_t named = 0;
  for (const hlo_instruction i : w.inside()) {
    const transfer_time* const other = exposed.time().links().of(i);
    if (!other || i == t.blocker || other->seconds() < much * t.time.seconds()) continue;
    d.related.push_back(related_at(i, "another transfer, inside"));
    if (++named == max_named) return;
  }
}

/// Exposed because its own window is too short, or because the transfer had to wait for others although its window is
/// long enough.
inline bool is_exposed(const exposed_transfer& t) {
  return t.exposed > 0 && (t.overlap() == exposure_class::exposed || detail::exposure::waits_for_others(t));
}

inline std::string window_text(const exposed_transfer& t, const async_window* w, const detail::exposure& exposed) {
  if (w && w->real == 0) {
    if (w->between == 0) return " is not overlapped: its done follows its start directly";
    if (w->transfers > 0) return " is not overlapped: between start and done are only other transfers";
    return w->between == 1
               ? " is not overlapped: the only instruction between start and done takes no time"
               : str_cat({" is not overlapped: the ", w->between, " instructions between start and done take no time"});
  }
  if (detail::exposure::waits_for_others(t))
    return str_cat({" is exposed although its window is long enough: ",
                    t.blocker ? "it begins after other transfers of its queue"
                              : "a transfer that is needed sooner begins after it"});
  return str_cat({" is exposed: the work beside it is ", share_text(t.work_each(), t.time.seconds()),
                  " of what would hide it", exposed.has_times() ? "" : " on common devices"});
}

/// What helps a copy to or from the host.
inline std::string advice_for_host(const context& dump) {
  std::string out =
      "The link to the host is slow: start the copy earlier, a layer or a step ahead of what reads it, leave on the "
      "device what is used at once, or offload less.";
  constexpr byte_count much = 1_GiB;
  if (const std::optional<byte_count> room = dump.device_evidence().empty() ? free_memory(dump) : std::nullopt;
      room && *room >= much)
    out += " " + human(*room) + " of " + memory_for_programs(dump.device()) + " stay free.";
  return out;
}

}  // namespace col002

HLOLINT_INLINE void empty_overlap_window::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;
  detail::exposure exposed(dump);
  const auto& windows = dump.get<async_windows>();
  const auto is_ours = [](const exposed_transfer& t) {
    return !t.synchronous && col002::is_exposed(t) && !moves_for_host_call(t.start);  // PRF012
  };
  for (const detail::reported_transfer& reported : exposed.worth_reporting(is_ours, min_bytes, min_exposed_us)) {
    const exposed_transfer& t = *reported.of;
    const async_window* const w = windows.started_by(t.start);
    const bool of_host = t.time.path == transfer_path::host;
    const bool note =
        of_host ? exposed.is_little(reported) || exposed.is_mere_move() : t.computes || t.time.kind == hlo_opcode::copy;
    std::string message =
        t.computes ? "a computation of another thread" : detail::transfer_text(kinds_text(t.time), exposed.bytes_of(t));
    if (of_host) message += " between host and device";
    message += col002::window_text(t, w && w->done ? w : nullptr, exposed);
    finding d = exposed.finding_of(reported, std::move(message));
    if (note) d.level = severity::note;
    if (t.done) d.related.push_back(related_at(t.done, "its done"));
    if (t.blocker) d.related.push_back(related_at(t.blocker, "waits for this transfer first"));
    if (w) col002::add_transfers_inside(*w, t, exposed, d);
    if (!note && detail::exposure::waits_for_others(t))
      d.advice =
          "Transfers of one queue run one after the other: start first what is needed first, and start no more of them "
          "ahead than the work beside them hides.";
    else if (of_host)
      d.advice = col002::advice_for_host(dump);
    else if (!note)
      exposed.add_remedy(reported, d);
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
