// The cost of several instructions together, and the computations that a loop or a call runs.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/report/show/thing_facts.hpp>
#include <hlolint/text/record_list.hpp>

namespace hlolint::report {

namespace detail {

/// For each computation whether a loop, call or conditional runs it, directly or not. Empty for other instructions, and
/// if another instruction also runs one of them. Linear in the computations and their callers.
inline record_list<bool> run_by(const hlo_module& module, hlo_instruction i, const call_graph& calls) {
  if (!calls_sequentially(i.opcode())) return {};
  record_list<bool> inside(module.computation_count());
  record_list<hlo_instruction> open{i};
  while (!open.empty()) {
    const hlo_instruction caller = open.back();
    open.pop_back();
    for (const hlo_computation c : caller.called_computations()) {
      if (!c || inside[c.id()]) continue;
      inside[c.id()] = true;
      for (const hlo_instruction inner : c.instructions())
        if (calls_sequentially(inner.opcode())) open.push_back(inner);
    }
  }
  for (const hlo_computation c : module.computations())
    if (inside[c.id()])
      for (const hlo_instruction caller : calls.callers(c))
        if (caller != i && !inside[caller.computation().id()]) return {};
  return inside;
}

/// The costs in a step of all instructions for which `belongs(i)` is true.
template <class Belongs>
cost_facts sum_of(const instruction_costs& costs, Belongs&& belongs) {
  cost_facts sum;
  for (const instruction_cost& row : costs.rows()) {
    if (!belongs(row.instruction)) continue;
    sum.ms += row.total() * 1e3, sum.exposed_ms += row.exposed * row.runs * 1e3, sum.runs += row.runs;
    sum.flops += row.flops * row.runs, sum.bytes += row.bytes * row.runs;
    sum.transferred_bytes += row.transferred_bytes * row.runs;
  }
  if (costs.step() > 0) sum.share = sum.ms / (costs.step() * 1e3);
  return sum;
}

}  // namespace detail

}  // namespace hlolint::report
