// MEM009: a result of the program that something else overwrites.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Judged by the schedule of the HLO, so it needs no live ranges. A clash that the printed ranges show is MEM001.
struct live_out_clobbered {
  static constexpr rule about{
      .id = "MEM009",
      .name = "live-out-clobbered",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::scheduled,
      .what =
          "A value of the program's result shares bytes with a value that is written later, and the dump's live "
          "ranges do not show it.",
      .why = "The caller gets the later value's bytes instead of the result.",
      .advice =
          "This is a bug of the compiler, or of the tool that wrote this buffer assignment: keep the dump and "
          "report it.",
      .example =
          "HLO:   %n = f32[8]{0} negate(%p)   %m = f32[8]{0} sine(%p)   ROOT %t = (f32[8]{0}) tuple(%n)\n"
          "dump:  value: <1 n @0> (size=32,offset=0): f32[8]{0}\n"
          "       value: <2 m @0> (size=32,offset=0): f32[8]{0}",
      .source = "jax #39625"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/memory/hidden_conflict_finding.hpp>

namespace hlolint {

HLOLINT_INLINE void live_out_clobbered::operator()(const context& dump, sink_ref emit) const {
  detail::report_hidden(dump, detail::overwritten::result, " overwrites a result of the program, ", "", emit);
}

}  // namespace hlolint
#endif
