// The instructions of a module that call computations, and the order of computations by their calls.
#pragma once

#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace hlolint {

/// All instructions that call computations, by the computation they are in. Most instructions of a big program are in
/// fusions and call nothing, so analyses of calls scan only these.
class calling_instructions {
 public:
  /// Linear in the module, which is kept. Half a dozen analyses make one, so records are read without views, which
  /// would take most of the time.
  explicit calling_instructions(const hlo_module& module) : module_(module), of_(module.computation_count()) {
    const std::vector<instruction_record>& records = module.data().instructions;
    const instruction_record* const first = records.data();
    for (const instruction_record *r = first, *const last = first + records.size(); r != last; ++r) {
      if (r->calls.count == 0) continue;
      id_range& own = of_[r->computation];
      if (own.count++ == 0) own.first = static_cast<id>(all_.size());
      all_.push_back(static_cast<id>(r - first));
    }
  }

  /// All ids, in text order.
  const std::vector<id>& all() const { return all_; }
  /// The ids in one computation, in text order.
  std::span<const id> in(hlo_computation c) const {
    return std::span(all_).subspan(of_[c.id()].first, of_[c.id()].count);
  }
  /// The module.
  const hlo_module& module() const { return module_; }

 private:
  hlo_module module_;
  std::vector<id> all_;
  std::vector<id_range> of_;  // by computation, into all_
};

/// Computations in an order in which each comes after all its callers; reversed, callees come first. Computations in a
/// cycle of calls, which no legal module has, are left out, with all that only they call.
inline std::vector<hlo_computation> callers_first(const calling_instructions& calling) {
  const hlo_module& module = calling.module();
  std::vector<id> open_calls(module.computation_count());
  for (const id at : calling.all())
    for (const hlo_computation called : module.instruction(at).called_computations())
      if (called) ++open_calls[called.id()];
  std::vector<hlo_computation> order;
  order.reserve(module.computation_count());
  for (const hlo_computation c : module.computations())
    if (open_calls[c.id()] == 0) order.push_back(c);
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const id at : calling.in(order[next]))
      for (const hlo_computation called : module.instruction(at).called_computations())
        if (called && --open_calls[called.id()] == 0) order.push_back(called);
  return order;
}

/// The order, for callers that need no `calling_instructions`.
inline std::vector<hlo_computation> callers_first(const hlo_module& module) {
  return callers_first(calling_instructions(module));
}

/// The same in reverse order.
inline std::vector<hlo_computation> callees_first(const hlo_module& module) {
  const std::vector<hlo_computation> order = callers_first(module);
  return {order.rbegin(), order.rend()};
}

}  // namespace hlolint
