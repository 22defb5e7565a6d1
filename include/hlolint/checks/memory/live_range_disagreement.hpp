// MEM011: printed live ranges that are shorter than the HLO requires and so hide an overlap.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Reports only differences that hide an overlap; ranges that contradict the dump itself are DMP010. The conflicts of
/// MEM009 and MEM010 are not repeated. A warning if the dump has live ranges, since one of the two must be wrong.
struct live_range_disagreement {
  static constexpr rule about{
      .id = "MEM011",
      .name = "live-range-disagreement",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::scheduled,
      .what =
          "According to the HLO two values are live in the same bytes, but the live ranges in the dump are "
          "shorter or missing.",
      .why =
          "XLA packs memory by these ranges: if a range is too short, its value is overwritten before the last "
          "read.",
      .advice =
          "Check that HLO and dump come from one compilation (DMP001). If they do, keep both and report a bug "
          "of the compiler.",
      .example =
          "HLO:   %n = f32[8]{0} negate(%p)   %m = f32[8]{0} sine(%p)   ROOT %a = f32[8]{0} add(%n, %m)\n"
          "dump:  n{}:1-1, m{}:2-3, and both at offset 0",
      .source = "XLA: hlo_live_range.cc; jax #39625, #39100"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/memory/hidden_conflict_finding.hpp>

namespace hlolint {

HLOLINT_INLINE void live_range_disagreement::operator()(const context& dump, sink_ref emit) const {
  detail::report_hidden(dump, detail::overwritten::other, " overlaps ", ", which the HLO still needs", emit);
}

}  // namespace hlolint
#endif
