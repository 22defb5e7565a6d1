// The computations of a module in an order in which facts flow from callers to what they call.
#pragma once

#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <vector>

namespace hlolint {

/// Every computation after all that call it. Computations that call each other in a circle, which no legal module has,
/// are left out, and so is what only they call. Backwards: callees first.
inline std::vector<hlo_computation> callers_first(const hlo_module& module) {
  std::vector<std::size_t> open_calls(module.computation_count());
  const auto for_each_call = [](hlo_computation caller, auto&& f) {
    for (const hlo_instruction i : caller.instructions())
      for (const hlo_computation called : i.called_computations())
        if (called) f(called);
  };
  for (const hlo_computation c : module.computations())
    for_each_call(c, [&](hlo_computation called) { ++open_calls[called.id()]; });
  std::vector<hlo_computation> order;
  order.reserve(module.computation_count());
  for (const hlo_computation c : module.computations())
    if (open_calls[c.id()] == 0) order.push_back(c);
  for (std::size_t next = 0; next < order.size(); ++next)
    for_each_call(order[next], [&](hlo_computation called) {
      if (--open_calls[called.id()] == 0) order.push_back(called);
    });
  return order;
}

}  // namespace hlolint
