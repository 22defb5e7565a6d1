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
  // Few instructions call anything, and a dozen analyses ask for this order: they are looked for once.
  const std::vector<instruction_record>& records = module.data().instructions;
  std::vector<id> calling;
  std::vector<std::size_t> first_calling{0};  // by computation, into calling
  for (const hlo_computation c : module.computations()) {
    const id_range range = c.record().instructions;
    for (id at = range.first; at < range.first + range.count; ++at) {
      if (records[at].calls.count == 0) continue;
      const hlo_instruction i = module.instruction(at);
      calling.push_back(i.id());
      for (const hlo_computation called : i.called_computations())
        if (called) ++open_calls[called.id()];
    }
    first_calling.push_back(calling.size());
  }
  std::vector<hlo_computation> order;
  order.reserve(module.computation_count());
  for (const hlo_computation c : module.computations())
    if (open_calls[c.id()] == 0) order.push_back(c);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (std::size_t k = first_calling[order[next].id()]; k < first_calling[order[next].id() + 1]; ++k)
      for (const hlo_computation called : module.instruction(calling[k]).called_computations())
        if (called && --open_calls[called.id()] == 0) order.push_back(called);
  return order;
}

}  // namespace hlolint
