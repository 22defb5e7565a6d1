// The cost of several instructions together.
#pragma once

#include <hlolint/analysis/step/instruction_costs.hpp>
#include <hlolint/report/show/thing_facts.hpp>

namespace hlolint::report {

namespace detail {

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
