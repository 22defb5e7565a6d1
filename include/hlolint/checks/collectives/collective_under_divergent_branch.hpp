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
      .what = "A conditional depends on partition-id, replica-id, infeed or recv, and its branches run different "
              "collectives.",
      .why = "Devices that take different branches wait in different collectives, or some wait for others that never "
             "come: the program hangs.",
      .advice = "Let all devices of a group take the same branch, or move the collective out of the conditional and "
                "select its result by a mask. If each group lies within the devices of one branch, the program is "
                "right: ignore the rule for this instruction.",
      .example = "%id = u32[] partition-id()\n"
                 "%first = pred[] compare(%id, %zero), direction=EQ\n"
                 "%c = f32[8]{0} conditional(%first, %p, %p), true_computation=%with_all_reduce, "
                 "false_computation=%without",
      .source = "inducer/pytato #366"};
  static constexpr need needs = need::hlo;

  void operator()(const context& dump, sink_ref report) const;

 private:
  struct code;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/checks/program_code.hpp>

namespace hlolint {

struct collective_under_divergent_branch::code {
  /// The first collective of a computation, and a hash (FNV-1a) of all its collectives in order.
  struct summary {
    std::uint64_t sequence = 0xCBF29CE484222325u;
    hlo_instruction first;

    void mix(std::uint64_t n) { sequence = (sequence ^ n) * 0x100000001B3u; }
    void mix(std::string_view text) {
      for (const char c : text) mix(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
    }
    void add(hlo_instruction collective) {
      if (!first) first = collective;
      mix(static_cast<std::uint64_t>(collective_kind(collective.opcode())));
      mix(collective.attribute(attribute_key::replica_groups).value_or(""));
      mix(collective.attribute(attribute_key::source_target_pairs).value_or(""));
    }
    void add(const summary& called) {
      if (!first) first = called.first;
      mix(called.sequence);
    }
  };
};

HLOLINT_INLINE void collective_under_divergent_branch::operator()(const context& dump, sink_ref report) const {
  const hlo_module& module = *dump.hlo();
  if (dump.get<instructions_by_opcode>().of(hlo_opcode::conditional).size() == 0) return;

  record_list<code::summary> of(module.computation_count());  // with everything called
  const auto order = callers_first(module);
  for (auto c = order.rbegin(); c != order.rend(); ++c)
    for (const hlo_instruction i : c->instructions()) {
      code::summary& own = of[c->id()];
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
    const code::summary* before = nullptr;
    for (const hlo_computation branch : i.called_computations()) {
      if (!branch) continue;
      const code::summary& own = of[branch.id()];
      if (own.first && !collective) collective = own.first;
      differ = differ || (before && before->sequence != own.sequence);
      before = &own;
    }
    if (!collective || !differ) continue;
    report(finding_at(collective,
        str_cat({name_of(collective_kind(collective.opcode())), " runs only on devices that take this branch of ",
                 i.name(), ", which depends on ",
                 dependence.on_device_id(i.operand(0)) ? "the device's number" : "what each device receives"}),
        {.related = {related_at(i, "the conditional"), related_at(i.operand(0), "what decides")}}));
  }
}

}  // namespace hlolint
#endif
