// DMP003: a module that should have a schedule and has none.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// A warning for a module that comes with buffers; a note for any other, since nothing is wrong with it.
struct not_scheduled {
  static constexpr rule about{
      .id = "DMP003",
      .name = "not-scheduled",
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .what =
          "A module that comes with buffers is not marked is_scheduled=true. For any other module without a "
          "schedule this is a note.",
      .why =
          "The order in which its instructions run is unknown, so no rule about overlap, live ranges or peak "
          "memory can be applied.",
      .advice =
          "XLA schedules a module before it assigns buffers: give the HLO file that ends in "
          "after_optimizations.txt and lies beside the buffer dump.",
      .example =
          "module_0001.jit_f.before_optimizations.txt with "
          "module_0001.jit_f.cpu_after_optimizations-buffer-assignment.txt",
      .source = "XLA: HloModule::ToString, is_scheduled"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/lint/finding_at.hpp>

namespace hlolint {

HLOLINT_INLINE void not_scheduled::operator()(const context& dump, sink_ref emit) const {
  if (!dump.hlo() || dump.hlo()->is_scheduled() || dump.hlo()->data().fragment) return;
  const bool with_buffers = dump.has(need::buffers);
  finding d =
      finding_at(*dump.hlo(), with_buffers ? "the module has buffers but no schedule (is_scheduled=true is missing)"
                                           : "the module is not scheduled");
  if (!with_buffers) d.level = severity::note;
  if (with_buffers && dump.target() == target::cpu && date_of(*dump.buffers()) <= xla_rules::glued_values) {
    d.level = severity::note;
    d.message += ", as XLA for CPUs wrote it until early 2024";
    d.advice = "Rules that need a schedule are skipped: a newer XLA writes it.";
  }
  emit(std::move(d));
}

}  // namespace hlolint
#endif
