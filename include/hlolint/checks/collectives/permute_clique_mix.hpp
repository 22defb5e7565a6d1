// COL006: collective-permutes that join devices to overlapping but unequal groups.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// One finding per distinct list of pairs, with the first permute whose groups overlap.
struct permute_clique_mix {
  static constexpr rule about{
      .id = "COL006",
      .name = "permute-clique-mix",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .needs = need::hlo | need::target,
      .what =
          "Two collective-permutes (lax.ppermute) of a GPU program join devices to groups that overlap without "
          "being equal.",
      .why =
          "This matters only with XLA_FLAGS=--xla_gpu_collective_permute_connected_components=true (XLA of April "
          "2026 and later). Then NCCL gets one communicator for each group of devices that a permute joins, "
          "instead of one for all devices. Overlapping groups have made programs wait forever for \"Acquire "
          "clique\", and each communicator takes memory.",
      .advice =
          "Without --xla_gpu_collective_permute_connected_components=true nothing needs to be done. With it, "
          "give both permutes the same rings of devices, or set it to false if the program hangs.",
      .example =
          "%a = f32[8]{0} collective-permute(%p), source_target_pairs={{0,1},{2,3}}\n"
          "%b = f32[8]{0} collective-permute(%a), source_target_pairs={{1,2}}",
      .source = "openxla/xla #44530"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint {

HLOLINT_INLINE void permute_clique_mix::operator()(const context& dump, sink_ref emit) const {
  constexpr std::string_view splits = "xla_gpu_collective_permute_connected_components";
  if (dump.target() != target::gpu || is_off(dump.flags(), splits)) return;
  const auto& graph = dump.get<call_graph>();
  // The sets of devices that permutes connect; and for each device the first two sets that contain it, since at least
  // one of them differs from any given set.
  struct clique {
    std::size_t number = 0;
    hlo_instruction first;  // the permute with it
  };
  std::map<std::vector<std::int64_t>, clique> cliques;
  std::unordered_map<std::int64_t, std::array<const clique*, 2>> around;
  std::set<std::vector<device_pair>> known;
  for (const hlo_instruction i : dump.get<instructions_by_opcode>().where(is_permute)) {
    if (graph.execution_of(i.computation()) == execution::unreached) continue;
    auto written = get<source_target_pairs>(i);
    if (!written || written->pairs.empty()) continue;
    std::sort(written->pairs.begin(), written->pairs.end());
    if (!known.insert(written->pairs).second) continue;
    const clique* mixed = nullptr;  // with the first permute that has one
    std::vector<std::pair<std::vector<std::int64_t>, const clique*>> own;
    for (std::vector<std::int64_t>& set : connected_devices(written->pairs)) {
      if (set.size() < 2) continue;
      const auto same = cliques.find(set);
      const clique* const equal = same == cliques.end() ? nullptr : &same->second;
      for (const std::int64_t device : set)
        if (const auto found = around.find(device); found != around.end())
          for (const clique* const other : found->second)
            if (other && other != equal && (!mixed || other->number < mixed->number)) mixed = other;
      if (!equal) own.emplace_back(std::move(set), nullptr);
    }
    for (auto& [set, made] : own) {
      made = &cliques.emplace(set, clique{cliques.size(), i}).first->second;
      for (const std::int64_t device : set)
        for (const clique*& slot : around[device])
          if (!slot) {
            slot = made;
            break;
          }
    }
    if (!mixed) continue;
    finding d = finding_at(i,
                           str_cat({"its pairs ", pairs_text(written->pairs), " join devices that ",
                                    mixed->first.name(), " joins with others"}),
                           {.related = {related_at(mixed->first, "joins other groups of devices")}});
    if (is_on(dump.flags(), splits))
      d.advice =
          str_cat({"Give both permutes the same rings of devices, or set --", splits, "=false if the program hangs."});
    emit(std::move(d));
  }
}

}  // namespace hlolint
#endif
