// MEM003: a value that takes over part of another one's bytes at a different offset.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The partial touch of buffer_dumps.md 5.4.
struct partial_overlap_in_place {
  static constexpr rule about{
      .id = "MEM003",
      .name = "partial-overlap-in-place",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::live_ranges,
      .what = "A value starts where another one ends, in some of its bytes but at a different offset.",
      .why =
          "An instruction may work in place only if result and operand begin at the same byte. Shifted, it "
          "overwrites elements before it has read them.",
      .advice = "This is a bug of the compiler: keep the dump and report it. A copy between the two values avoids it.",
      .example =
          "allocation 3: size 1536, preallocated-temp:\n"
          " value: <4 add.1 @0> (size=1024,offset=0): f32[256]{0}\n"
          " value: <5 multiply.1 @0> (size=1024,offset=512): f32[256]{0}\n"
          "...\n"
          "    add.1{}:2-4\n"
          "    multiply.1{}:4-8",
      .source = "openxla/xla #46543"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/checks/memory/conflict_finding.hpp>

#include <optional>

namespace hlolint {

namespace mem003 {

/// Whether the later value's instruction is known to read the earlier one while it writes: in alternate memory a value
/// may otherwise end where its last use runs. A custom call may join parts that lie where they belong.
inline bool reads_while_writing(const context& dump, const buffer_conflicts& facts, const buffer_conflict& found) {
  if (!dump.hlo() || !dump.hlo()->is_scheduled() || facts.table().last_use(found.first) != found.position) return false;
  const hlo_instruction by =
      dump.get<instruction_names>().find(facts.table().dump().values()[found.second].name.instruction);
  return by && by.operand_count() > 0 && by.opcode() != hlo_opcode::custom_call && !calls_sequentially(by.opcode());
}

}  // namespace mem003

HLOLINT_INLINE void partial_overlap_in_place::operator()(const context& dump, sink_ref emit) const {
  const auto& facts = dump.get<buffer_conflicts>();
  for (const buffer_conflict& found : facts) {
    if (found.kind != overlap_class::partial_touch) continue;
    const buffer_dump& buffers = facts.table().dump();
    const bool certain = !detail::is_alternate_memory(dump, buffers.allocation_of(buffers.values()[found.first])) ||
                         mem003::reads_while_writing(dump, facts, found);
    emit(detail::conflict_finding(
        dump, facts.table(), found,
        str_cat({detail::value_text(facts, found.second), " takes ", human(found.bytes), " of ",
                 detail::value_text(facts, found.first), " at ", detail::schedule_text(buffers, found.position),
                 ", where the other value is still read, but begins at another byte",
                 certain ? ""
                         : "; not certain, as in alternate memory a value may be overwritten where its last use "
                           "runs"}),
        certain ? std::nullopt : std::optional(detail::level_of_doubt(dump, facts.table().used(found.second), {}))));
  }
}

}  // namespace hlolint
#endif
