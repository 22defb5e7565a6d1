// PRF011: a module that recomputes much because memory is short.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One finding per module, at the largest instruction that XLA rematerialized (`.remat` in its name).
struct remat_volume {
  static constexpr rule about{
      .id = "PRF011",
      .name = "remat-volume",
      .level = severity::note,
      .costs = cost_kind::time,
      .needs = need::scheduled,
      .what =
          "Instructions that XLA's rematerialization added make up a considerable part of what the program "
          "writes.",
      .why =
          "The program does not fit into memory, so XLA recomputes values instead of keeping them. That costs "
          "time, and a slightly larger program may not fit at all.",
      .advice =
          "Save memory elsewhere (donate buffers, shard more, offload), choose by hand what to recompute "
          "(jax.checkpoint), or raise the memory limit if it was set too low.",
      .example = "%fusion.12.remat = f32[8192,8192]{1,0} fusion(%p), kind=kLoop, calls=%fused_computation.12.clone",
      .source = "XLA: hlo_rematerialization.cc; marin-community/marin #8054"};

  double min_percent = 5;
  static constexpr auto options =
      std::tuple{option{"min-percent", &remat_volume::min_percent,
                        "modules that recompute a smaller share of the bytes of all results are fine"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/program_pass.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/lint/finding_costs.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void remat_volume::operator()(const context& dump, sink_ref emit) const {
  constexpr std::size_t max_named = 3;
  const auto& all_loops = dump.get<loops>();
  double everything = 0, again = 0;
  std::vector<std::pair<byte_count, hlo_instruction>> found;
  for (const hlo_computation c : detail::sequential_computations(dump)) {
    const auto times = static_cast<double>(all_loops.runs_of(c).times);
    for (const hlo_instruction i : c.instructions()) {
      if (takes_no_time(i.opcode()) || calls_sequentially(i.opcode()) || !i.shape()) continue;
      const byte_count bytes = dense_size_of_leaves(*i.shape()).value_or(0);
      everything += times * static_cast<double>(bytes);
      if (!is_rematerialized(i)) continue;
      again += times * static_cast<double>(bytes);
      found.emplace_back(bytes, i);
    }
  }
  if (found.empty() || again * 100 < min_percent * everything) return;
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  const byte_count bytes = clamp_to_int64(again);
  finding d = finding_at(
      found[0].second,
      str_cat({found.size(), " rematerialized instructions write ", human(bytes), ", ", share_text(again, everything),
               " of what the program writes; the biggest is this of ", human(found[0].first)}),
      {.bytes = bytes, .runs = 1});  // the bytes count all runs
  for (const auto& [written, i] : found) d.saves.push_back({i});
  for (std::size_t k = 1; k < found.size() && k <= max_named; ++k)
    d.related.push_back(related_at(found[k].second, human(found[k].first) + " computed again"));
  emit(std::move(d));
}

}  // namespace hlolint
#endif
