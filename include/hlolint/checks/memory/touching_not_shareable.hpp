// MEM002: a value that takes over the bytes of another one that ends there, for no visible reason.
#pragma once

#include <hlolint/analysis/buffer_conflicts.hpp>
#include <hlolint/checks/memory/conflict_finding.hpp>
#include <hlolint/lint/check.hpp>

#include <utility>

namespace hlolint {

/// The touch of buffer_dumps.md 5.4. From a buffer dump alone nothing is proven, so it is a note.
struct touching_not_shareable {
  static constexpr rule about{
      .id = "MEM002",
      .name = "touching-not-shareable",
      .level = severity::error,
      .since = "0.1",
      .what = "A value starts where another one in the same bytes ends, and nothing shows that its instruction may work "
              "in place on it. From a buffer dump alone this is a note.",
      .why = "An instruction that writes over an operand it has not finished reading, or over somebody else's, computes "
             "with wrong numbers.",
      .advice = "Look at the instruction that both meet at. If it does not read the earlier value, keep the dump and "
                "report it to the compiler.",
      .example = "allocation 3: size 1024, preallocated-temp:\n"
                 " value: <4 add.1 @0> (size=1024,offset=0): f32[256]{0}\n"
                 " value: <5 multiply.1 @0> (size=1024,offset=0): f32[256]{0}\n"
                 "...\n"
                 "    add.1{}:2-4\n"
                 "    multiply.1{}:4-8",
      .source = "XLA: HloDataflowAnalysis::CanShareOperandBufferWithUser"};
  static constexpr need needs = need::buffers | need::live_ranges | need::used_values;

  void operator()(const context& dump, sink auto& report) const {
    const auto& facts = dump.template get<buffer_conflicts>();
    for (const buffer_conflict& found : facts) {
      if (found.kind != conflict_kind::touch) continue;
      const buffer_dump& buffers = facts.table().dump();
      // Memory-space assignment lets a value start where another one is read last.
      if (detail::is_alternate_memory(dump, buffers.allocation_of(buffers.values()[found.first]))) continue;
      diagnostic d = detail::conflict_finding(
          dump, facts, found,
          detail::value_text(facts, found.second) + " takes the place of " + detail::value_text(facts, found.first) +
              " at " + detail::schedule_text(buffers, found.position) + ", and nothing in the dump shows that it may");
      d.level = severity::note;
      report(std::move(d));
    }
  }
};

}  // namespace hlolint
