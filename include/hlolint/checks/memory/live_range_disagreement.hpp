// MEM011: live ranges that do not follow from the HLO, where it matters.
#pragma once

#include <hlolint/checks/memory/hidden_conflict_finding.hpp>
#include <hlolint/lint/check.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace hlolint {

/// Only differences that hide an overlap, and values whose range is missing or printed twice. The conflicts of MEM009 and
/// MEM010 are not repeated.
struct live_range_disagreement {
  static constexpr rule about{
      .id = "MEM011",
      .name = "live-range-disagreement",
      .level = severity::warning,
      .since = "0.1",
      .what = "By the live ranges that follow from the HLO two values are alive in the same bytes, but the ranges that the dump "
              "prints are shorter or missing; or a value has no range, or two.",
      .why = "XLA packs memory by these ranges: if one is too short, a value is overwritten before its last read.",
      .advice = "See whether HLO and dump are of one compilation (DMP001). If they are, keep both and report a bug of the compiler.",
      .example = "HLO:   %n = f32[8]{0} negate(%p)   %m = f32[8]{0} sine(%p)   ROOT %a = f32[8]{0} add(%n, %m)\n"
                 "dump:  n{}:1-1, m{}:2-3, and both at offset 0",
      .source = "XLA: hlo_live_range.cc; jax #39625, #39100"};
  static constexpr need needs = need::buffers | need::scheduled;

  void operator()(const context& dump, sink auto& report) const {
    const auto& facts = dump.template get<hidden_conflicts>();
    const matched_values& values = facts.values();
    for (const hidden_conflict& found : facts)
      if (detail::kind_of(found, values) == detail::overwritten::other)
        report(detail::hidden_conflict_finding(dump, found, values,
                                               detail::hidden_value_text(found.second, values) + " lies over " +
                                                   detail::hidden_value_text(found.first, values) + ", which the HLO still needs"));
    missing_and_doubled(dump, values, report);
  }

 private:
  static void missing_and_doubled(const context& dump, const matched_values& values, sink auto& report) {
    const buffer_dump& buffers = *dump.buffers();
    const live_range_block* const block = buffers.live_ranges();
    if (!block) return;
    for (std::size_t i = 0; i < buffers.values().size(); ++i) {
      const auto computed = values.computed(i);
      if (!computed || values.table().range(i) || !values.ranges().of(*computed)) continue;
      const auto range = values.ranges().of(*computed);
      report(detail::value_finding(dump, buffers.values()[i], nullptr,
                                   to_string(buffers.values()[i].name) + " has no live range in the dump; by the HLO it lives " +
                                       std::to_string(range->start) + "-" + std::to_string(range->end)));
    }
    std::map<std::pair<std::string_view, shape_index>, const live_range*> first;
    for (const live_range& range : block->ranges) {
      const auto [known, is_new] = first.emplace(std::pair(range.instruction, range.index), &range);
      if (is_new) continue;
      diagnostic d = finding(std::string(range.instruction) + to_string(range.index) + " has two live ranges in the dump");
      d.where = buffers.where(range.text);
      d.instruction = std::string(range.instruction);
      d.related.push_back({buffers.where(known->second->text), std::string(range.instruction), {}, "the other one"});
      report(std::move(d));
    }
  }
};

}  // namespace hlolint
