// COL012: a collective in a branch that not all devices may take, or in a loop that they may not repeat equally often.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Reports a conditional whose predicate depends on the device's own number, on data that each device receives or on
/// its own part of an argument, and whose branches do not run the same collectives in the same order; and collectives
/// of a loop whose condition does. Groups of devices that decide alike do no harm.
struct collective_under_divergent_branch {
  static constexpr rule about{
      .id = "COL012",
      .name = "collective-under-divergent-branch",
      .costs = cost_kind::nothing,
      .needs = need::hlo,
      .what =
          "A conditional or a loop depends on partition-id, replica-id, infeed, recv or the device's part of a sharded "
          "argument, and devices of one group run different collectives, or run them a different number of times.",
      .why =
          "Devices that take different branches wait in different collectives, or some wait for others that never "
          "come: the program hangs.",
      .advice =
          "Let all devices of a group take the same branch and repeat a loop equally often, as by an all-reduce of "
          "what decides, or move the collective out of the conditional and select its result by a mask.",
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
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/trip_count.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/transfers/equal_devices.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/hash.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace hlolint {

namespace col012 {

/// The first of some collectives of a computation, and a hash of all in order.
struct summary {
  number_hash sequence;
  hlo_instruction first;

  void add(hlo_instruction collective, const module_groups& groups) {
    if (!first) first = collective;
    sequence.add(collective_kind(collective.opcode()));
    if (const written_groups* const written = groups.of(collective)) sequence.add(written->key);
    sequence.add(collective.attribute(attribute_key::source_target_pairs).value_or(""));
    for (std::size_t k = 0; k < collective.operand_count(); ++k)
      if (const shape* const sent = shape_of_operand(collective, k))
        sequence.add(sent->type), sequence.add(dense_size(*sent).value_or(-1));
  }
  void add(const summary& called) {
    if (!first) first = called.first;
    sequence.add(called.sequence.value());
  }
};

/// The collectives that each computation runs, itself and by what it calls, for which `counts` is true.
std::vector<summary> summaries(const hlo_module& module, const module_groups& groups, auto&& counts) {
  std::vector<summary> out(module.computation_count());
  for (const hlo_computation c : callees_first(module))
    for (const hlo_instruction i : c.instructions()) {
      if (is_collective(i.opcode()) && counts(i)) out[c.id()].add(i, groups);
      for (const hlo_computation called : i.called_computations())
        if (called && out[called.id()].first) out[c.id()].add(out[called.id()]);
    }
  return out;
}

/// Whether a collective joins devices of several classes.
inline bool joins(hlo_instruction collective, const std::vector<id>& class_of, const hlo_module& module,
                  const module_groups& groups) {
  const auto differ = [&](std::int64_t a, std::int64_t b) {
    const auto end = static_cast<std::int64_t>(class_of.size());
    return a >= 0 && b >= 0 && a < end && b < end &&
           class_of[static_cast<std::size_t>(a)] != class_of[static_cast<std::size_t>(b)];
  };
  if (const auto between = get<source_target_pairs>(collective))
    return (module.replica_count() == 1 || module.num_partitions() == 1) &&
           std::ranges::any_of(between->pairs, [&](const auto& pair) { return differ(pair.first, pair.second); });
  const device_groups* const devices = groups.devices_of(collective);
  return devices && std::ranges::any_of(devices->devices, [&](const auto& group) {
           return std::ranges::any_of(group, [&](std::int64_t device) { return differ(device, group.front()); });
         });
}

/// What decides about a branch or another iteration; an empty view if all devices certainly decide alike.
inline hlo_instruction decider_of(hlo_instruction i) {
  if (i.opcode() == hlo_opcode::conditional) return operand_of(i, 0);
  const bool may_differ = i.opcode() == hlo_opcode::while_ && !trip_count_of(i).is_proven();
  return may_differ ? root_of(parts_of_while(i).condition) : hlo_instruction{};
}

/// The collective that makes devices wait that decide differently; an empty view if none does.
inline hlo_instruction waiting_in(hlo_instruction i, const std::vector<summary>& of) {
  hlo_instruction collective;
  bool differ = i.opcode() == hlo_opcode::while_;
  const summary* before = nullptr;
  for (const hlo_computation called : i.called_computations()) {
    if (!called) continue;
    const summary& own = of[called.id()];
    if (!collective) collective = own.first;
    differ = differ || (before && before->sequence.value() != own.sequence.value());
    before = &own;
  }
  return differ ? collective : hlo_instruction{};
}

}  // namespace col012

HLOLINT_INLINE void collective_under_divergent_branch::operator()(const context& dump, sink_ref emit) const {
  const hlo_module& module = *dump.hlo();
  const module_groups& groups = dump.get<module_groups>();
  const auto moves = [&](hlo_instruction i) { return !moves_nothing(i, groups); };
  const std::vector<col012::summary> all = col012::summaries(module, groups, moves);
  std::vector<hlo_instruction> candidates;
  for (const hlo_instruction i : module.instructions())
    if ((i.opcode() == hlo_opcode::conditional || i.opcode() == hlo_opcode::while_) && col012::waiting_in(i, all) &&
        col012::decider_of(i))
      candidates.push_back(i);
  if (candidates.empty()) return;

  constexpr std::size_t most_kinds = 64;  // of devices' classes
  // Before it is scheduled, and so partitioned, a program may decide by all of a sharded argument.
  const equal_devices equal(module, dump.earlier(), groups);
  std::map<const std::vector<id>*, std::vector<col012::summary>> joining;
  for (const hlo_instruction i : candidates) {
    const hlo_instruction decider = col012::decider_of(i);
    const difference between = equal.between_classes_of(decider);
    const std::string_view what = has(between, difference::device_id)  ? "the device's number"
                                  : has(between, difference::received) ? "what each device receives"
                                  : has(between, difference::shard) && module.is_scheduled()
                                      ? "the device's own part of an argument"
                                      : "";
    if (what.empty()) continue;
    const std::vector<id>& classes = equal.classes_of(decider);
    if (joining.size() == most_kinds && !joining.contains(&classes)) continue;
    auto& of = joining[&classes];
    if (of.empty())
      of = col012::summaries(module, groups,
                             [&](hlo_instruction c) { return col012::joins(c, classes, module, groups); });
    const hlo_instruction collective = col012::waiting_in(i, of);
    if (!collective) continue;
    const bool is_loop = i.opcode() == hlo_opcode::while_;
    emit(finding_at(
        collective,
        str_cat({name_of(collective_kind(collective.opcode())),
                 is_loop ? " runs as often as the device repeats " : " runs only on devices that take this branch of ",
                 i.name(), ", which depends on ", what}),
        {.related = {related_at(i, is_loop ? "the loop" : "the conditional"), related_at(decider, "what decides")}}));
  }
}

}  // namespace hlolint
#endif
