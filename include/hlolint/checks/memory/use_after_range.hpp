// MEM007: a buffer that is read after the live range that the dump prints for it.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Within one alias set XLA cuts a range where the next value begins. So a buffer lives as long as the ranges of its
/// set continue without a gap.
struct use_after_range {
  static constexpr rule about{
      .id = "MEM007",
      .name = "use-after-range",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::scheduled | need::printed_ranges,
      .what =
          "An instruction reads a value after the end of the live ranges that the dump prints for the value's "
          "buffer.",
      .why = "According to the dump the bytes are free at that time and may hold anything.",
      .advice =
          "Check that HLO and dump come from one compilation (DMP001). If they do, keep both and report a bug "
          "of the compiler.",
      .example =
          "HLO:   %a = f32[8]{0} add(%n, %m)   at position 4\n"
          "dump:  n{}:1-2",
      .source = "XLA: hlo_live_range.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/checks/value_finding.hpp>

#include <algorithm>
#include <vector>

namespace hlolint {

namespace mem007 {

struct printed {
  std::int64_t start = 0, end = 0;
  std::uint32_t value = 0;
};

inline void check(const context& dump, const matched_values& values, std::uint32_t v, std::int64_t reached,
                  sink_ref emit) {
  const dataflow& flow = values.flow();
  hlo_instruction reader;
  std::int64_t latest = reached;
  for (const hlo_use& use : flow.uses(flow.values()[v])) {
    const hlo_instruction user = flow.module().instruction(use.user);
    if (calls_sequentially(user.opcode())) continue;  // the computation that it calls reads, at another position
    const auto at = values.ranges().schedule().position_of(user);
    if (at && *at > latest) latest = *at, reader = user;
  }
  if (!reader) return;
  const std::size_t assigned = *values.assigned(v);
  const assigned_value& value = values.dump().values()[assigned];
  emit(detail::value_finding(dump, value, values.table().range(assigned),
                             str_cat({"the buffer of ", to_string(value.name), " lives until position ", reached,
                                      " according to the dump, but ", reader.name(), " reads it at position ", latest}),
                             {.bytes = value.size, .related = {related_at(reader, "reads it")}}));
}

}  // namespace mem007

HLOLINT_INLINE void use_after_range::operator()(const context& dump, sink_ref emit) const {
  const auto& values = dump.get<matched_values>();
  if (!values.same_program()) return;  // DMP001
  const alias_sets& sets = values.ranges().sets();
  std::vector<mem007::printed> ranges;
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    ranges.clear();
    bool complete = true;
    for (const std::uint32_t v : sets.values(set)) {
      const auto assigned = values.assigned(v);
      const live_range* const range = assigned ? values.table().range(*assigned) : nullptr;
      complete = complete && (range || !values.ranges().of(v));  // a missing range is DMP010
      if (range) ranges.push_back({range->start, range->end, v});
    }
    if (!complete) continue;
    std::stable_sort(ranges.begin(), ranges.end(), [](const mem007::printed& a, const mem007::printed& b) {
      return in_order(a.start, b.start, a.end, b.end, a.value, b.value);
    });
    for (std::size_t begin = 0, end = 0; begin < ranges.size(); begin = end) {
      std::int64_t reached = ranges[begin].end;
      for (; end < ranges.size() && ranges[end].start <= reached; ++end) reached = std::max(reached, ranges[end].end);
      for (std::size_t k = begin; k < std::max(end, begin + 1); ++k)
        mem007::check(dump, values, ranges[k].value, reached, emit);
      end = std::max(end, begin + 1);
    }
  }
}

}  // namespace hlolint
#endif
