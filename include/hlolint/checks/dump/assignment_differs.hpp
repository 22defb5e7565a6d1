// DMP012: a buffer assignment that differs from the one that XLA's rules give for the HLO.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// assignment.md: XLA's assignment is certain if target, schedule and version are known.
struct assignment_differs {
  static constexpr rule about{
      .id = "DMP012",
      .name = "assignment-differs",
      .level = severity::note,
      .costs = cost_kind::nothing,
      .needs = need::hlo | need::buffers | need::scheduled | need::target,
      .what =
          "The sizes of a module's allocations differ from those that XLA's buffer assigner computes from its "
          "HLO. Only for GPU and CPU.",
      .why =
          "The compiler is another version, was modified, or got flags that change the assignment; or the files "
          "come from different compilations. Predictions for edited schedules need not hold for this module.",
      .advice =
          "hlolint memory --verify shows the first difference. Find out which XLA and which flags "
          "(--xla_multiheap_size_constraint_per_heap, for example) made the dump.",
      .example = "the dump has 640 bytes, but XLA assigns 768 to this HLO: another version of XLA",
      .source = "XLA: buffer_assignment.cc, heap_simulator.cc"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/buffers/assignment_comparison.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void assignment_differs::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() != target::gpu && dump.target() != target::cpu) return;
  const assignment_comparison compared(dump.share<alias_sets>(), dump.share<instruction_names>(), *dump.buffers(),
                                       dump.target());
  if (compared.is_equal() || compared.values().first.empty()) return;
  const disagreement& total = compared.values().first.front();
  emit(finding_at(
      total.where,
      str_cat({"the dump has ", total.printed, " bytes, but XLA assigns ", total.computed, " to this HLO: ",
               compared.cause() == assignment_cause::unknown ? "the cause is not known" : name_of(compared.cause())})));
}

}  // namespace hlolint
#endif
