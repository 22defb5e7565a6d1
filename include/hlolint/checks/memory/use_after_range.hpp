// MEM007: a buffer that is read after the live range that the dump prints for it.
#pragma once

#include <hlolint/analysis/call_graph.hpp>
#include <hlolint/analysis/matched_values.hpp>
#include <hlolint/checks/value_finding.hpp>
#include <hlolint/lint/check.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace hlolint {

/// Printed ends are cut inside one alias set, so the latest end of the set counts, against the latest read of any of its
/// values.
struct use_after_range {
  static constexpr rule about{
      .id = "MEM007",
      .name = "use-after-range",
      .level = severity::error,
      .since = "0.1",
      .what = "An instruction reads a value after the end of the last live range that the dump prints for the value's buffer.",
      .why = "By the dump the bytes are free by then, and may hold anything.",
      .advice = "See whether HLO and dump are of one compilation (DMP001). If they are, keep both and report a bug of the compiler.",
      .example = "HLO:   %a = f32[8]{0} add(%n, %m)   at position 4\ndump:  n{}:1-2",
      .source = "XLA: hlo_live_range.cc"};
  static constexpr need needs = need::buffers | need::scheduled | need::live_ranges;

  void operator()(const context& dump, sink auto& report) const {
    const auto& values = dump.template get<matched_values>();
    const alias_sets& sets = values.ranges().sets();
    for (std::uint32_t set = 0; set < sets.size(); ++set) {
      std::optional<std::int64_t> end;
      std::size_t last = 0;      // the assigned value whose range ends latest
      bool complete = true;
      for (const std::uint32_t v : sets.values(set)) {
        const auto assigned = values.assigned(v);
        const live_range* const range = assigned ? values.table().range(*assigned) : nullptr;
        complete = complete && (range || !values.ranges().of(v));  // a missing range is MEM011
        if (range && (!end || range->end > *end)) end = range->end, last = *assigned;
      }
      if (!end || !complete) continue;
      const read late = latest_read(values, set);
      if (!late.by || late.position <= *end) continue;
      const assigned_value& value = values.dump().values()[last];
      diagnostic d = detail::value_finding(dump, value, values.table().range(last),
                                           to_string(value.name) + " ends at position " + std::to_string(*end) + " by the dump, but " +
                                               std::string(late.by.name()) + " reads its buffer at position " + std::to_string(late.position));
      d.bytes = value.size;
      d.related.push_back(related_at(late.by, "reads it"));
      report(std::move(d));
    }
  }

 private:
  struct read {
    hlo_instruction by;
    std::int64_t position = -1;
  };
  static read latest_read(const matched_values& values, std::uint32_t set) {
    const dataflow& flow = values.flow();
    read out;
    for (const std::uint32_t v : values.ranges().sets().values(set))
      for (const hlo_use& use : flow.uses(flow.values()[v])) {
        const hlo_instruction user = flow.module().instruction(use.user);
        if (calls_sequentially(user.opcode())) continue;  // what it calls reads, at a time of its own
        const auto at = values.ranges().schedule().position_of(user);
        if (at && *at > out.position) out = {user, *at};
      }
    return out;
  }
};

}  // namespace hlolint
