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
  // Few instructions call anything, and half a dozen analyses ask for this order: those are looked for once. The
  // records are read without views: that is most of the time.
  const std::vector<instruction_record>& records = module.data().instructions;
  std::vector<id> calling;
  std::vector<id_range> of_computation(module.computation_count());  // in `calling`
  for (id at = 0; at < records.size(); ++at) {
    if (records[at].calls.count == 0) continue;
    id_range& own = of_computation[records[at].computation];
    if (own.count++ == 0) own.first = static_cast<id>(calling.size());
    calling.push_back(at);
    for (const hlo_computation called : module.instruction(at).called_computations())
      if (called) ++open_calls[called.id()];
  }
  std::vector<hlo_computation> order;
  order.reserve(module.computation_count());
  for (const hlo_computation c : module.computations())
    if (open_calls[c.id()] == 0) order.push_back(c);
  for (std::size_t next = 0; next < order.size(); ++next) {
    const auto [first, count] = of_computation[order[next].id()];
    for (id k = first; k < first + count; ++k)
      for (const hlo_computation called : module.instruction(calling[k]).called_computations())
        if (called && --open_calls[called.id()] == 0) order.push_back(called);
  }
  return order;
}

}  // namespace hlolint
