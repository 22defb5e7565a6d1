// COL002: an asynchronous collective with no work between its start and its done.
#pragma once

#include <hlolint/analysis/async_windows.hpp>
#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <utility>

namespace hlolint {

/// Patterns N1, N2, N3 and, as a note, N8 of scheduling.md 5.
struct empty_overlap_window {
  static constexpr rule about{
      .id = "COL002",
      .name = "empty-overlap-window",
      .level = severity::warning,
      .since = "0.1",
      .what = "An asynchronous collective has no work between its start and its done: nothing at all, or only "
              "instructions that take no time, or only other transfers. The same for copy-start and copy-done is a "
              "note.",
      .why = "The transfer is not hidden behind computation, so the device waits for it as if it were synchronous.",
      .advice = "Give the scheduler independent work to place in the window: look at what produces the operand and "
                "what waits for the result, and at control-predecessors. A too small memory limit of the latency "
                "hiding scheduler also closes windows.",
      .example = "%start = f32[1024,4096]{1,0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, "
                 "use_global_device_ids=true, to_apply=%add\n"
                 "%done = f32[1024,4096]{1,0} all-reduce-done(%start)",
      .source = "XLA: convert_async_collectives_to_sync.cc, latency_hiding_scheduler.cc"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 1_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &empty_overlap_window::min_bytes,
                        "smaller transfers are not reported (operands or result, the bigger)"}};

  void operator()(const context& dump, sink auto& report) const {
    if (dump.target() == target::cpu) return;
    const auto& graph = dump.template get<call_graph>();
    const auto& windows = dump.template get<async_windows>();
    for (const async_window& w : windows) {
      const bool copy = w.kind == hlo_opcode::copy && w.form == async_form::opcode;
      if (!w.done || w.real > 0 || !(w.is_collective() || copy)) continue;
      if (w.is_sync == true) continue;  // COL001 has XLA's own reason
      if (!graph.is_sequential(w.start.computation())) continue;
      if (w.bytes.value_or(0) < min_bytes || (!copy && detail::moves_nothing(w.transfer, *dump.hlo()))) continue;

      std::string message = detail::transfer_text(w.kind, w.bytes) + " is not overlapped: ";
      if (w.between == 0) {
        message += "its done follows its start directly";
      } else if (w.transfers == 0) {
        message += w.between == 1
                       ? std::string("the only instruction between start and done takes no time")
                       : "the " + std::to_string(w.between) + " instructions between start and done take no time";
      } else {
        message += "between start and done are only other transfers";
      }
      diagnostic d = finding_at(w.start, message + " (" + detail::position_text(w.start) + ")");
      d.bytes = w.bytes;
      if (copy) d.level = severity::note;
      d.related.push_back(related_at(w.done, "its done"));
      std::size_t named = 0;
      for (const hlo_instruction i : w.inside()) {
        if (named == max_named) break;
        if (!windows.is_transfer(i)) continue;
        ++named;
        d.related.push_back(related_at(i, "another transfer, inside"));
      }
      report(std::move(d));
    }
  }

 private:
  static constexpr std::size_t max_named = 4;
};

}  // namespace hlolint
