// COL006: collective-permutes whose connected devices overlap without being the same.
#pragma once

#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/device_pairs.hpp>
#include <hlolint/checks/collectives/transfer.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

/// One finding per distinct set of pairs, with the first other one that it mixes with.
struct permute_clique_mix {
  static constexpr rule about{
      .id = "COL006",
      .name = "permute-clique-mix",
      .level = severity::note,
      .since = "0.1",
      .what = "Two collective-permutes connect overlapping, but not equal, sets of devices.",
      .why =
          "With --xla_gpu_collective_permute_connected_components each set gets a communicator of its own. Making "
          "these for different sets in an order that differs between devices can deadlock, and every further set "
          "costs memory.",
      .advice = "Turn that option off, or let the permutes move along the same rings.",
      .example =
          "%a = f32[8]{0} collective-permute(%p), source_target_pairs={{0,1},{2,3}}\n"
          "%b = f32[8]{0} collective-permute(%a), source_target_pairs={{1,2}}",
      .source = "openxla/xla #44530"};
  static constexpr need needs = need::hlo | need::target;

  void operator()(const context& dump, sink auto& report) const {
    if (dump.target() != target::gpu) return;
    const auto& graph = dump.template get<call_graph>();
    struct seen {
      hlo_instruction first;
      std::vector<std::vector<std::int64_t>> cliques;
    };
    std::map<std::vector<device_pair>, std::size_t> known;
    std::vector<seen> different;
    for (const hlo_instruction i : dump.hlo()->instructions()) {
      if (i.opcode() != hlo_opcode::collective_permute && i.opcode() != hlo_opcode::collective_permute_start) continue;
      if (graph.execution_of(i.computation()) == execution::unreached) continue;
      auto written = get<source_target_pairs>(i);
      if (!written || written->pairs.empty()) continue;
      std::sort(written->pairs.begin(), written->pairs.end());
      if (!known.emplace(written->pairs, different.size()).second) continue;
      different.push_back({i, connected_devices(written->pairs)});
      for (std::size_t k = 0; k + 1 < different.size(); ++k) {
        if (!mix(different[k].cliques, different.back().cliques)) continue;
        diagnostic d = finding_at(i, "the devices that " + pairs_text(written->pairs) +
                                         " connects overlap with, but are not, those of " +
                                         std::string(different[k].first.name()));
        d.related.push_back(related_at(different[k].first, "connects other sets"));
        report(std::move(d));
        break;
      }
    }
  }

 private:
  static bool mix(const std::vector<std::vector<std::int64_t>>& a, const std::vector<std::vector<std::int64_t>>& b) {
    std::map<std::int64_t, std::size_t> set_of;
    for (std::size_t s = 0; s < a.size(); ++s)
      for (const std::int64_t device : a[s]) set_of[device] = s;
    for (const auto& clique : b)
      for (const std::int64_t device : clique)
        if (const auto found = set_of.find(device);
            found != set_of.end() && clique.size() > 1 && a[found->second].size() > 1 && a[found->second] != clique)
          return true;
    return false;
  }
};

}  // namespace hlolint
