// MEM002: a value that takes over the bytes of another one without proof that it may work in place.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// The touch of buffer_dumps.md 5.4. An error if the HLO proves the two values unrelated, or the instruction reads the
/// earlier value in a way that no emitter could do in place; a warning if XLA only does not allow it; a note without
/// HLO.
struct touching_not_shareable {
  static constexpr rule about{
      .id = "MEM002",
      .name = "touching-not-shareable",
      .level = severity::error,
      .costs = cost_kind::nothing,
      .needs = need::buffers | need::live_ranges | need::used_values,
      .what =
          "A value starts where another one in the same bytes ends, and nothing shows that its instruction may "
          "work in place. From a buffer dump alone this is a note.",
      .why =
          "An instruction that overwrites a value before all its readers have finished, itself included, computes "
          "wrong numbers.",
      .advice =
          "Look at the instruction at which the two values meet. If it does not read the earlier value, keep "
          "the dump and report a bug of the compiler.",
      .example =
          "allocation 3: size 1024, preallocated-temp:\n"
          " value: <4 add.1 @0> (size=1024,offset=0): f32[256]{0}\n"
          " value: <5 multiply.1 @0> (size=1024,offset=0): f32[256]{0}\n"
          "...\n"
          "    add.1{}:2-4\n"
          "    multiply.1{}:4-8",
      .source = "XLA: HloDataflowAnalysis::CanShareOperandBufferWithUser"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/checks/memory/conflict_finding.hpp>
#include <hlolint/grammar/attributes/get.hpp>

#include <optional>

namespace hlolint {

namespace mem002 {

struct judgment {
  severity level = severity::note;
  std::string_view why;
};

/// The TPU compiler and the authors of custom calls may know more about an instruction than XLA prints.
inline bool hides_its_rules(const context& dump, const assigned_value& by) {
  const hlo_instruction i = dump.get<instruction_names>().find(by.name.instruction);
  return dump.target() == target::tpu || dump.target() == target::unknown ||
         (i && i.opcode() == hlo_opcode::custom_call);
}

/// Whether an instruction reads elements of its operand again after it has written others of its result, so that it
/// cannot work in place: most elements come from other places, or from several. Transforms and sorts can, and a gather
/// over its indices.
inline bool never_works_in_place(const context& dump, hlo_instruction i, std::string_view operand) {
  const auto is_operand = [&](std::size_t k) { return operand_of(i, k) && i.operand(k).name() == operand; };
  switch (collective_kind(i.opcode())) {
    using enum hlo_opcode;
    case dot:
    case convolution:
    case reverse:
    case transpose: return true;
    case gather: return is_operand(0) && !is_operand(1);
    case all_gather:
    case all_to_all:
    case collective_permute:
    case reduce_scatter: return !moves_nothing(i, dump.get<module_groups>());
    case custom_call: {
      const auto called = get<custom_call_target>(i);
      return called && called->name.starts_with("__cublas$") && (is_operand(0) || is_operand(1)) && !is_operand(2);
    }
    default: return false;
  }
}

inline std::optional<judgment> judge(const context& dump, const buffer_conflicts& facts, const buffer_conflict& found) {
  const buffer_dump& buffers = facts.table().dump();
  // Memory-space assignment lets a value start where another one is read last.
  if (detail::is_alternate_memory(dump, buffers.allocation_of(buffers.values()[found.first]))) return std::nullopt;
  switch (found.kind) {
    case overlap_class::unexplained: return judgment{severity::note, ", and nothing in the dump shows that it may"};
    case overlap_class::unrelated:
      if (!dump.hlo()->is_scheduled())
        return judgment{severity::warning,
                        ", which it neither reads nor shares a buffer with; not certain, as the "
                        "module is not scheduled"};
      return judgment{severity::error, ", which it neither reads nor shares a buffer with"};
    case overlap_class::may_share_on_gpu:
      if (dump.target() != target::cpu) return std::nullopt;
      [[fallthrough]];
    case overlap_class::not_shareable: {
      const hlo_instruction reader =
          dump.get<instruction_names>().find(buffers.values()[found.second].name.instruction);
      if ((dump.target() == target::cpu || dump.target() == target::gpu) && reader && dump.hlo()->is_scheduled() &&
          !dump.is_read_in_part() && never_works_in_place(dump, reader, buffers.values()[found.first].name.instruction))
        return judgment{severity::error, ", which it reads, but cannot overwrite before it has read all of it"};
      return judgment{hides_its_rules(dump, buffers.values()[found.second]) ? severity::note : severity::warning,
                      ", which it reads, but not element by element at the same place"};
    }
    default: return std::nullopt;
  }
}

}  // namespace mem002

HLOLINT_INLINE void touching_not_shareable::operator()(const context& dump, sink_ref emit) const {
  const auto& facts = dump.get<buffer_conflicts>();
  for (const buffer_conflict& found : facts) {
    const auto judged = mem002::judge(dump, facts, found);
    if (!judged) continue;
    emit(detail::conflict_finding(dump, facts.table(), found,
                                  str_cat({detail::value_text(facts, found.second), " takes the place of ",
                                           detail::value_text(facts, found.first), " at ",
                                           detail::schedule_text(facts.table().dump(), found.position), judged->why}),
                                  judged->level));
  }
}

}  // namespace hlolint
#endif
