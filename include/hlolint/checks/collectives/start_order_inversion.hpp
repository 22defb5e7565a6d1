// COL018: transfers of one queue that finish in another order than they start.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// A queue has the collectives of one kind and, if the text gives it, of one stream (`operation_queue_id`).
struct start_order_inversion {
  static constexpr rule about{
      .id = "COL018",
      .name = "start-order-inversion",
      .level = severity::note,
      .costs = cost_kind::time,
      .needs = need::scheduled | need::target,
      .what = "A collective starts after another one of its kind and stream, and its done comes before the other's.",
      .why =
          "Transfers of one stream run one after the other, so the early done waits for both: the first transfer "
          "delays the second, and its own long window is wasted.",
      .advice = "Start first what is needed first, or put the two on different streams.",
      .example =
          "%a = f32[8]{0} all-reduce-start(%p), ...\n"
          "%b = f32[8]{0} all-reduce-start(%q), ...\n"
          "%bd = f32[8]{0} all-reduce-done(%b)\n"
          "%ad = f32[8]{0} all-reduce-done(%a)",
      .source = "NVIDIA/nccl #1772; XLA: latency_hiding_scheduler.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void start_order_inversion::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu) return;
  const auto& graph = dump.get<call_graph>();
  const auto stream_of = [](hlo_instruction start) {
    return config_value(start, "operation_queue_id").value_or(std::string{});
  };
  // For each queue of a computation, the windows that end later than all windows before them. The first of these that
  // ends after a new window's done is also the first of all windows that does.
  std::map<std::tuple<id, hlo_opcode, std::string>, std::vector<const async_window*>> queues;
  for (const async_window& w : dump.get<async_windows>()) {
    if (!w.is_collective() || !w.done || w.is_sync == true || !graph.is_sequential(w.start.computation())) continue;
    auto& latest = queues[{w.start.computation().id(), w.kind, stream_of(w.start)}];
    const auto found = std::upper_bound(latest.begin(), latest.end(), w.done.id(),
                                        [](id done, const async_window* f) { return done <= f->done.id(); });
    if (found == latest.end()) {
      latest.push_back(&w);
      continue;
    }
    const async_window* const f = *found;
    finding d = finding_at(w.start,
                           str_cat({detail::transfer_text(w.kind, w.bytes), " starts after ", f->start.name(),
                                    " and is waited for before it (", detail::position_text(w.start), ")"}),
                           {.bytes = w.bytes,
                            .related = {related_at(f->start, "starts earlier"), related_at(w.done, "its done"),
                                        related_at(f->done, "the done of the earlier one")}});
    if (dump.target() == target::tpu) d.advice = "Start first what is needed first.";  // its streams are not the user's
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
