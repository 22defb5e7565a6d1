// COL016: data that a device collects from all others only to keep a part of them.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// All readers of the result of an all-gather or all-reduce, also inside fusions, are dynamic-slices at an offset that
/// depends on the device's number, or gathers of few rows. All-gathers before it that nothing else reads count too.
struct wasteful_reshard {
  static constexpr rule about{
      .id = "COL016",
      .name = "wasteful-reshard",
      .costs = cost_kind::time,
      .needs = need::scheduled,  // XLA may still change it in an unscheduled module
      .what =
          "Each device keeps only one slice, selected by its own number, of the result of an all-gather, a chain "
          "of all-gathers, or an all-reduce; or looks up few rows of the result of an all-gather.",
      .why =
          "Most of what was transferred is thrown away, and the whole result is in memory in the meantime. A "
          "reduce-scatter, or an all-to-all, sends only what is kept. XLA's partitioner calls this involuntary "
          "full rematerialization.",
      .advice =
          "Look for \"[SPMD] Involuntary full rematerialization\" in the log of the compilation: it names the "
          "operation and both shardings. Annotate the shardings before and after (with_sharding_constraint) so "
          "that the partitioner can go directly from one to the other, in two steps if several dimensions "
          "change; for an all-reduce see what keeps XLA's reduce-scatter creator from matching.",
      .example =
          "%ar = f32[4096,1024]{1,0} all-reduce(%grad), replica_groups={{0,1,2,3}}, to_apply=%add\n"
          "%mine = f32[1024,1024]{1,0} dynamic-slice(%ar, %offset_from_partition_id, %zero), "
          "dynamic_slice_sizes={1024,1024}",
      .source = "openxla/xla #15207, #4062"};

  byte_count min_waste = 16_MiB;
  static constexpr auto options = std::tuple{
      option{"min-waste", &wasteful_reshard::min_waste, "transfers that waste fewer bytes are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/checks/collectives/exposure.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/text/str_cat.hpp>

#include <optional>
#include <unordered_map>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void wasteful_reshard::operator()(const context& dump, sink_ref emit) const {
  constexpr std::size_t max_named = 3;
  std::optional<detail::exposure> exposed;
  std::unordered_map<id, const exposed_transfer*> times;  // by the start
  for (const wasted_result& found : dump.get<wasted_results>()) {
    const byte_count waste = found.waste();
    if (found.bytes < min_waste || waste < min_waste) continue;
    if (!exposed) {
      exposed.emplace(dump);
      for (const exposed_transfer& t : exposed->time().transfers()) times.emplace(t.start.id(), &t);
    }
    const hlo_opcode kind = collective_kind(collective_of(found.collective).opcode());
    const bool by_rows = found.by_rows && kind == hlo_opcode::all_gather;
    const auto time = times.find(found.collective.id());
    std::string message =
        found.before.empty()
            ? detail::transfer_text(kind, found.bytes)
            : str_cat({"a chain of ", found.before.size() + 1, " all-gathers of together ", human(found.moved())});
    append_to(message, {repetition_text(dump.get<loops>(), found.collective.computation())});
    if (found.is_looked_up())
      append_to(message, {", of which each device only looks rows up: that in each device's own part would move ",
                          human(found.kept)});
    else
      append_to(message, {", of which each device keeps ", human(found.kept), " by its own number",
                          by_rows                          ? " after what works on each row alone"
                          : kind == hlo_opcode::all_reduce ? ": a reduce-scatter would do"
                                                           : ""});
    // A combined collective takes its time once: each of its parts has the share of its bytes.
    const byte_count whole = collective_bytes(found.collective).value_or(found.bytes);
    const double part = found.before.empty() ? std::min(1.0, share_of(found.bytes, std::max(whole, found.bytes))) : 1;
    if (exposed->has_times() && time != times.end() && time->second->exposed > 0)
      append_to(message, {"; ", estimate_text(part * time->second->exposed), " of it exposed in a step"});
    // An all-reduce is a reduce-scatter and an all-gather, each of which takes half of its time.
    const double saved = kind == hlo_opcode::all_reduce ? 0.5 : share_of(waste, found.moved());
    finding d = finding_at(found.collective, str_cat({message, " (", detail::position_text(found.collective), ")"}),
                           {.bytes = waste, .saves = {{found.collective, part * saved}}});
    for (const hlo_instruction before : found.before) d.saves.push_back({before, saved});
    if (!(found.result == found.collective)) d.related.push_back(related_at(found.result, "its done"));
    for (std::size_t k = 0; k < found.before.size() && k < max_named; ++k)
      d.related.push_back(related_at(found.before[k], "gathers for it, and for nothing else"));
    for (std::size_t k = 0; k < found.slices.size() && k < max_named; ++k)
      d.related.push_back(related_at(found.slices[k], found.is_looked_up() ? "looks rows up" : "takes the slice"));
    if (found.is_looked_up())
      d.advice =
          "Keep the array sharded for the lookup: constrain the sharding of its result (with_sharding_constraint) "
          "instead of that of the array. XLA then looks up in each device's part and adds the results.";
    if (kind == hlo_opcode::all_reduce &&
        program_place_of(found.collective).op_name.find("/shard_map/") != std::string::npos)
      d.advice = "The program sums and takes the slice itself, in jax.shard_map: jax.lax.psum_scatter does both.";
    if (by_rows) {
      d.related.push_back(related_at(found.by_rows, "works on all rows"));
      d.advice = "Do that, and what follows, on each device's own rows, in jax.shard_map: then nothing is gathered.";
    }
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
