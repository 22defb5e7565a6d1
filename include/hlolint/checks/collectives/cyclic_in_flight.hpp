// COL005: collectives in flight at the same time whose groups of devices can wait for each other in a circle.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// If two unequal groups have two devices in common, each of the two may run the kernel of a different collective
/// first. One finding per start, with the collectives that are then in flight.
struct cyclic_in_flight {
  static constexpr rule about{
      .id = "COL005",
      .name = "cyclic-in-flight",
      .costs = cost_kind::nothing,
      .needs = need::scheduled | need::target,
      .what =
          "A collective starts while another one is in flight, and a group of one shares more than one device, "
          "but not all, with a group of the other.",
      .why =
          "The two use different communicators. If one device runs their kernels in one order and another device "
          "in the opposite order, each waits for the other and the program hangs.",
      .advice =
          "Finish the first collective before the second starts, or keep both on one stream. XLA's GPU "
          "scheduler avoids such an overlap; find the pass or annotation that put them together.",
      .example =
          "%a = f32[8]{0} all-reduce-start(%p), channel_id=1, replica_groups={{0,1,2,3}}, ...\n"
          "%b = f32[8]{0} all-reduce-start(%q), channel_id=2, replica_groups={{0,1},{2,3}}, ...\n"
          "%ad = f32[8]{0} all-reduce-done(%a)\n"
          "%bd = f32[8]{0} all-reduce-done(%b)",
      .source = "XLA: gpu_latency_hiding_scheduler.cc; openxla/xla #40656, #47467"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

namespace col005 {

inline constexpr std::size_t max_named = 8;

/// Whether an earlier window of the same computation is still open at `start`. Precondition: the window has a done.
inline bool is_open(const async_window& earlier, hlo_instruction start) {
  return earlier.start.computation() == start.computation() && earlier.start.id() < start.id() &&
         earlier.done.id() > start.id();
}

/// Whether a start runs a kernel that was compiled for it, as Triton's, and not a call of NCCL.
inline bool runs_own_kernel(hlo_instruction start) {
  const hlo_computation wrapped = first_called(start);
  return wrapped && wrapped.root() && wrapped.root().opcode() == hlo_opcode::fusion;
}

inline std::size_t device_count(const device_groups& groups) {
  std::size_t count = 0;
  for (const auto& group : groups.devices) count += group.size() + 1;
  return count;
}
/// A text about the first two groups that cross; nothing if none do.
inline std::optional<std::string> crossing(const std::vector<std::vector<std::int64_t>>& first,
                                           const std::vector<std::vector<std::int64_t>>& second) {
  std::unordered_map<std::int64_t, std::size_t> group_of;
  for (std::size_t g = 0; g < first.size(); ++g)
    for (const std::int64_t device : first[g]) group_of[device] = g;
  for (const auto& group : second) {
    std::unordered_map<std::size_t, std::size_t> common;
    for (const std::int64_t device : group)
      if (const auto found = group_of.find(device); found != group_of.end()) ++common[found->second];
    for (const auto& [g, count] : common)
      if (count > 1 && !(count == group.size() && count == first[g].size()))
        return str_cat({count, " devices between a group of ", first[g].size(), " and one of ", group.size()});
  }
  return std::nullopt;
}

}  // namespace col005

HLOLINT_INLINE void cyclic_in_flight::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() != target::gpu) return;
  const auto& graph = dump.get<call_graph>();
  const auto& all_groups = dump.get<module_groups>();
  std::vector<const async_window*> in_flight;  // of the current computation, in the order of their starts
  using list_pair = std::pair<const device_groups*, const device_groups*>;
  std::map<list_pair, std::optional<std::string>> known;  // words on pairs of lists
  std::size_t affordable = 20'000'000;                    // devices and pairs of windows to look at
  const auto spend = [&](std::size_t cost) { affordable -= std::min(affordable, cost); };
  for (const async_window& w : dump.get<async_windows>()) {
    if (!w.is_collective() || !w.done || w.is_sync == true || !graph.is_sequential(w.start.computation())) continue;
    if (col005::runs_own_kernel(w.start)) continue;
    erase_if(in_flight, [&](const async_window* f) { return !col005::is_open(*f, w.start); });
    spend(2 * in_flight.size());
    if (affordable == 0) return;  // too much in flight at once to look at all pairs
    const device_groups* const groups = all_groups.devices_of(w.transfer);
    if (!groups || groups->largest() < 2) continue;
    std::vector<related_place> related;
    std::string shared;
    for (const async_window* const f : in_flight) {
      const device_groups* const first = all_groups.devices_of(f->transfer);
      const auto [common, is_new] = known.try_emplace({first, groups});
      if (is_new) {
        common->second = col005::crossing(first->devices, groups->devices);
        spend(8 * (col005::device_count(*first) + col005::device_count(*groups)));
      }
      if (!common->second) continue;
      if (related.empty()) shared = *common->second;
      if (related.size() >= 2 * col005::max_named) break;
      related.push_back(related_at(f->start, "in flight since here"));
      related.push_back(related_at(f->done, "until here"));
    }
    if (!related.empty())
      emit(finding_at(w.start,
                      str_cat({detail::transfer_text(w.kind, w.bytes), " starts while ", related.front().instruction,
                               " is in flight, and they share ", shared, " (", detail::position_text(w.start), ")"}),
                      {.bytes = w.bytes, .related = related}));
    in_flight.push_back(&w);
  }
}

}  // namespace hlolint
#endif
