// The computations of a module in an order in which facts flow from callers to what they call.
#pragma once

#include <hlolint/analysis/program/calling_instructions.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>

namespace hlolint {

/// Every computation after all that call it. Computations that call each other in a circle, which no legal module has,
/// are left out, and so is what only they call. Backwards: callees first.
inline record_list<hlo_computation> callers_first(const calling_instructions& calling) {
  const hlo_module& module = calling.module();
  record_list<id> open_calls(module.computation_count());
  for (const id at : calling.all())
    for (const hlo_computation called : module.instruction(at).called_computations())
      if (called) ++open_calls[called.id()];
  record_list<hlo_computation> order;
  order.reserve(module.computation_count());
  for (const hlo_computation c : module.computations())
    if (open_calls[c.id()] == 0) order.push_back(c);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const id at : calling.in(order[next]))
      for (const hlo_computation called : module.instruction(at).called_computations())
        if (called && --open_calls[called.id()] == 0) order.push_back(called);
  return order;
}

/// The order alone, without the instructions that call.
inline record_list<hlo_computation> callers_first(const hlo_module& module) {
  return callers_first(calling_instructions(module));
}

}  // namespace hlolint
