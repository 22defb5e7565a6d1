// ALI007: a parameter that could have been donated to an output.
#pragma once

#include <hlolint/analysis/matched_values.hpp>
#include <hlolint/checks/aliasing/free_leaves.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/finding.hpp>
#include <hlolint/lint/option.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// buffer_dumps.md 10, check 4. A note, because only the caller knows whether the argument is needed again.
struct missed_donation {
  static constexpr rule about{
      .id = "ALI007",
      .name = "missed-donation",
      .level = severity::note,
      .since = "0.1",
      .what = "A big parameter is neither donated nor aliased, and an output of equal shape and layout begins after "
              "its last use.",
      .why = "Both are allocated for the whole run, and one buffer would do.",
      .advice = "If the caller does not need the argument again (optimizer state, caches), donate it: donate_argnums "
                "of jax.jit. Weights for inference must not be donated.",
      .example = "HloModule m, is_scheduled=true, "
                 "entry_computation_layout={(f32[8192,4096]{1,0})->f32[8192,4096]{1,0}}",
      .source = "XLA: docs/errors/error_1000.md, scenario 3.A"};
  static constexpr need needs = need::scheduled;

  byte_count min_bytes = 16_MiB;
  static constexpr auto options =
      std::tuple{option{"min-bytes", &missed_donation::min_bytes, "smaller parameters are not reported"}};

  void operator()(const context& dump, sink auto& report) const {
    const hlo_computation entry = dump.hlo()->entry();
    if (!entry || !entry.root()) return;
    const detail::free_leaves leaves(dump, min_bytes);
    const auto donors = get<buffer_donor>(*dump.hlo());
    std::vector<bool> taken(leaves.outputs().size());
    for (const detail::entry_leaf& leaf : leaves.parameters()) {
      const bool donated =
          donors && std::any_of(donors->entries.begin(), donors->entries.end(), [&](const buffer_donor_entry& d) {
            return d.parameter == leaf.parameter && d.parameter_index == leaf.index;
          });
      if (donated) continue;  // ALI005
      const hlo_instruction parameter = entry.parameter(leaf.parameter);
      for (std::size_t o = 0; o < leaves.outputs().size(); ++o) {
        const detail::entry_leaf& output = leaves.outputs()[o];
        if (taken[o] || !(*output.array == *leaf.array) || !parameter || !ends_before(dump, parameter, leaf, output))
          continue;
        taken[o] = true;
        diagnostic d =
            finding_at(parameter, detail::to_string(leaf) + " (" + to_string(*leaf.array) + ", " + human(leaf.size) +
                                      ") is read for the last time before " + detail::to_string(output) +
                                      " of equal shape begins, and is not donated to it");
        d.bytes = leaf.size;
        d.related.push_back(related_at(entry.root(), "the output"));
        report(std::move(d));
        break;
      }
    }
  }

 private:
  static bool ends_before(const context& dump, hlo_instruction parameter, const detail::entry_leaf& leaf,
                          const detail::entry_leaf& output) {
    const auto& ranges = dump.get<live_ranges>();
    const dataflow& flow = ranges.flow();
    const auto only_value = [&](hlo_instruction i, const shape_index& index) -> std::optional<std::uint32_t> {
      const std::uint32_t part = flow.tables().places.find(i.id(), index);
      std::optional<std::uint32_t> out;
      std::size_t count = 0;
      if (part != none) flow.for_each_at({i.id(), part}, [&](std::uint32_t v) { out = v, ++count; });
      return count == 1 ? out : std::nullopt;
    };
    const auto given = only_value(parameter, leaf.index),
               made = only_value(parameter.computation().root(), output.index);
    if (!given || !made || *given == *made || !ranges.untrimmed(*made)) return false;
    for (const hlo_use& use : flow.uses(flow.values()[*given])) {
      const hlo_instruction user = flow.module().instruction(use.user);
      const auto at = ranges.schedule().position_of(user);
      // What reads the parameter to make the output may do so in place.
      if (!at || *at > ranges.untrimmed(*made)->start) return false;
    }
    return true;
  }
};

}  // namespace hlolint
