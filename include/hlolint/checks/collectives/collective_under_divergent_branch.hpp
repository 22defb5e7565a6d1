// COL012: a collective in a branch that not all devices may take.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Reports a conditional whose predicate depends on the device's own number, or on data that each device receives, and
/// whose branches do not run the same collectives in the same order.
struct collective_under_divergent_branch {
  static constexpr rule about{
      .id = "COL012",
      .name = "collective-under-divergent-branch",
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .what =
          "A conditional depends on partition-id, replica-id, infeed or recv, and its branches run different "
          "collectives.",
      .why =
          "Devices that take different branches wait in different collectives, or some wait for others that never "
          "come: the program hangs.",
      .advice =
          "Let all devices of a group take the same branch, or move the collective out of the conditional and "
          "select its result by a mask. If each group lies within the devices of one branch, the program is "
          "right: ignore the rule for this instruction.",
      .example =
          "%id = u32[] partition-id()\n"
          "%first = pred[] compare(%id, %zero), direction=EQ\n"
          "%c = f32[8]{0} conditional(%first, %p, %p), true_computation=%with_all_reduce, "
          "false_computation=%without",
      .source = "inducer/pytato #366"};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/hash.hpp>
#include <hlolint/text/str_cat.hpp>

#include <vector>

namespace hlolint {

namespace col012 {

/// The first collective of a computation, and a hash of all its collectives in order.
struct summary {
  number_hash sequence;
  hlo_instruction first;

  void add(hlo_instruction collective) {
    if (!first) first = collective;
    sequence.add(collective_kind(collective.opcode()));
    sequence.add(collective.attribute(attribute_key::replica_groups).value_or(""));
    sequence.add(collective.attribute(attribute_key::source_target_pairs).value_or(""));
  }
  void add(const summary& called) {
    if (!first) first = called.first;
    sequence.add(called.sequence.value());
  }
};

}  // namespace col012

HLOLINT_INLINE void collective_under_divergent_branch::operator()(const context& dump, sink_ref emit) const {
  const hlo_module& module = *dump.hlo();
  if (dump.get<instructions_by_opcode>().of(hlo_opcode::conditional).size() == 0) return;

  std::vector<col012::summary> of(module.computation_count());  // with everything called
  for (const hlo_computation c : callees_first(module))
    for (const hlo_instruction i : c.instructions()) {
      col012::summary& own = of[c.id()];
      if (is_collective(i.opcode()) && !moves_nothing(i, dump.get<module_groups>())) own.add(i);
      for (const hlo_computation called : i.called_computations())
        if (called && of[called.id()].first) own.add(of[called.id()]);
    }

  const auto& dependence = dump.get<device_dependence>();
  for (const hlo_instruction i : module.instructions()) {
    if (i.opcode() != hlo_opcode::conditional || i.operand_count() == 0 || !i.operand(0) ||
        !dependence.at_all(i.operand(0)))
      continue;
    hlo_instruction collective;
    bool differ = false;
    const col012::summary* before = nullptr;
    for (const hlo_computation branch : i.called_computations()) {
      if (!branch) continue;
      const col012::summary& own = of[branch.id()];
      if (own.first && !collective) collective = own.first;
      differ = differ || (before && before->sequence.value() != own.sequence.value());
      before = &own;
    }
    if (!collective || !differ) continue;
    emit(finding_at(
        collective,
        str_cat({name_of(collective_kind(collective.opcode())), " runs only on devices that take this branch of ",
                 i.name(), ", which depends on ",
                 dependence.on_device_id(i.operand(0)) ? "the device's number" : "what each device receives"}),
        {.related = {related_at(i, "the conditional"), related_at(i.operand(0), "what decides")}}));
  }
}

}  // namespace hlolint
#endif
