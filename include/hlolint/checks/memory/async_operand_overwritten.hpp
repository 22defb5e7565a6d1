// MEM010: an array that is overwritten while a transfer still reads or writes it.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Operand and result of a transfer are both in use between its start and its done. A clash that the printed ranges
/// show is MEM001.
struct async_operand_overwritten {
  static constexpr rule about{
      .id = "MEM010",
      .name = "async-operand-overwritten",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::scheduled,
      .what =
          "A value that a started transfer reads or writes shares bytes with a value that is written before the "
          "transfer is done, and the dump's live ranges do not show it.",
      .why =
          "The transfer runs beside the program: it sends bytes of the later value, or overwrites that value with "
          "the data it receives.",
      .advice =
          "This is a bug of the compiler, or of the tool that wrote this buffer assignment: keep the dump and "
          "report it.",
      .example =
          "HLO:   %s = (f32[8]{0}, f32[16]{0}) all-gather-start(%p)   %m = f32[8]{0} sine(%q)   %d = "
          "f32[16]{0} all-gather-done(%s)\n"
          "dump:  value: <1 p.copy @0> (size=32,offset=0): f32[8]{0}\n"
          "       value: <2 m @0> (size=32,offset=0): f32[8]{0}",
      .source = "XLA: docs/async_ops.md"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/checks/memory/hidden_conflict_finding.hpp>

namespace hlolint {

HLOLINT_INLINE void async_operand_overwritten::operator()(const context& dump, sink_ref emit) const {
  detail::report_hidden(dump, detail::overwritten::in_flight, " overwrites ", ", which is in flight until ", emit);
}

}  // namespace hlolint
#endif
