// COL003: an asynchronous collective with too little work between its start and its done.
#pragma once

#include <hlolint/analysis/async_windows.hpp>
#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/estimated_work.hpp>
#include <hlolint/analysis/loops.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <tuple>
#include <utility>

namespace hlolint {

/// Pattern N7 of scheduling.md 5. Without rates it counts instructions; with them it is a roofline.
struct thin_overlap_window {
  static constexpr rule about{
      .id = "COL003",
      .name = "thin-overlap-window",
      .level = severity::note,
      .since = "0.1",
      .what =
          "Between the start and the done of an asynchronous collective is only one instruction of work or, when the "
          "rates of the device are given, work for less time than the transfer takes.",
      .why = "The part of the transfer that no computation covers is added to the step time.",
      .advice =
          "Look for independent work that could move into the window, or cut the transfer into parts that fit. Give "
          "flops-per-second and bytes-per-second of your device for an estimate instead of a count.",
      .example =
          "%start = f32[1024,4096]{1,0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1}}, "
          "use_global_device_ids=true, to_apply=%add\n"
          "%n = f32[8]{0} negate(%q)\n"
          "%done = f32[1024,4096]{1,0} all-reduce-done(%start)",
      .source = "XLA: latency_hiding_scheduler.cc; openxla/xla #1539"};
  static constexpr need needs = need::scheduled;

  double flops_per_second = 0;
  double bytes_per_second = 0;
  double memory_bytes_per_second = 0;
  double min_ratio = 1;
  int max_real = 1;
  static constexpr auto options =
      std::tuple{option{"flops-per-second", &thin_overlap_window::flops_per_second,
                        "what the device computes; 0 = not known, count instructions"},
                 option{"bytes-per-second", &thin_overlap_window::bytes_per_second,
                        "what one device sends to the others; 0 = not known"},
                 option{"memory-bytes-per-second", &thin_overlap_window::memory_bytes_per_second,
                        "what the device's memory delivers; 0 = do not count it"},
                 option{"min-ratio", &thin_overlap_window::min_ratio,
                        "estimated transfer time / estimated work that is still fine is below this"},
                 option{"max-real", &thin_overlap_window::max_real,
                        "without rates: windows with more instructions of work are fine"}};

  void operator()(const context& dump, sink auto& report) const {
    if (dump.target() == target::cpu) return;
    const auto& graph = dump.template get<call_graph>();
    const auto& windows = dump.template get<async_windows>();
    const bool rates = flops_per_second > 0 && bytes_per_second > 0;
    for (const async_window& w : windows) {
      // Empty windows are COL002's, and what XLA made synchronous is COL001's.
      if (!w.is_collective() || !w.done || w.real == 0 || w.is_sync == true) continue;
      if (!graph.is_sequential(w.start.computation()) || detail::moves_nothing(w.transfer, *dump.hlo())) continue;
      // A TPU fusion that carries a transfer on was made to hide it, so there a count of instructions says nothing.
      if (!rates && (w.form == async_form::tpu_fusion || w.real > static_cast<std::size_t>(std::max(max_real, 0))))
        continue;
      std::string message = detail::transfer_text(w.kind, w.bytes) + " has " + count_text(w.real) + " in its window";
      if (rates) {
        const double transfer = transfer_seconds(w, *dump.hlo()), covered = covered_seconds(w, dump);
        if (transfer <= 0 || transfer < min_ratio * covered) continue;
        message += ": about " + time_text(transfer) + " of transfer, " + time_text(covered) + " of work";
      }
      diagnostic d = finding_at(w.start, message + repetition_text(dump.template get<loops>(), w.start.computation()) +
                                             " (" + detail::position_text(w.start) + ")");
      d.bytes = w.bytes;
      d.related.push_back(related_at(w.done, "its done"));
      std::size_t named = 0;
      for (const hlo_instruction i : w.inside())
        if (windows.is_real(i) && named++ < max_named) d.related.push_back(related_at(i, "work inside"));
      report(std::move(d));
    }
  }

 private:
  static constexpr std::size_t max_named = 3;

  static std::string count_text(std::size_t real) {
    return real == 1 ? std::string("only one instruction of work") : std::to_string(real) + " instructions of work";
  }

  /// Bytes that each device sends: with n devices in a group every algorithm in use leaves 1/n of them where they are,
  /// and an all-reduce goes around twice.
  double transfer_seconds(const async_window& w, const hlo_module& module) const {
    const auto groups = find_device_groups(w.transfer, module);
    const double devices = groups ? static_cast<double>(groups->largest()) : 0;
    const double part = devices > 1 ? (devices - 1) / devices : 1;
    const double rounds = w.kind == hlo_opcode::all_reduce ? 2 : 1;
    return rounds * part * static_cast<double>(w.bytes.value_or(0)) / bytes_per_second;
  }
  double covered_seconds(const async_window& w, const context& dump) const {
    const auto& estimates = dump.template get<work_estimates>();
    double sum = 0;
    for (const hlo_instruction i : w.inside()) {
      const work_estimate own = estimates.of(i);
      const double memory = memory_bytes_per_second > 0 ? own.bytes / memory_bytes_per_second : 0;
      sum += std::max(own.flops / flops_per_second, memory);
    }
    return sum;
  }
  static std::string time_text(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1fus", seconds * 1e6);
    return text;
  }
};

}  // namespace hlolint
