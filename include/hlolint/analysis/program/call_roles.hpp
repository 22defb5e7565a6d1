// What the computations that an instruction calls are to it, and the parameters of a computation by number.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace hlolint {

/// The computations of a while; empty views where they are missing.
struct while_parts {
  /// The computation that decides whether it goes on, and the one that is repeated. @{
  hlo_computation condition, body;
  /// @}
};

/// Precondition: `loop` is a while. The attributes may stand in any order.
inline while_parts parts_of_while(hlo_instruction loop) {
  while_parts out;
  std::size_t at = 0;
  for (const hlo_attribute a : loop.attributes()) {
    if (a.key != attribute_key::condition && a.key != attribute_key::body) continue;
    if (at == loop.called_computation_count()) break;
    (a.key == attribute_key::body ? out.body : out.condition) = loop.called_computation(at++);
  }
  return out;
}

/// The parameters of all computations by number.
class computation_parameters {
 public:
  /// Linear in the module.
  explicit computation_parameters(const hlo_module& module) : module_(module), first_(module.computation_count() + 1) {
    for (const hlo_computation c : module.computations()) {
      first_[c.id()] = static_cast<id>(parameters_.size());
      for (const hlo_instruction i : c.instructions()) {
        const auto number = i.parameter_number();
        if (!number || *number < 0 || static_cast<std::size_t>(*number) >= c.instruction_count()) continue;
        const std::size_t at = first_[c.id()] + static_cast<std::size_t>(*number);
        if (at >= parameters_.size()) parameters_.resize(at + 1, none);
        if (parameters_[at] == none) parameters_[at] = i.id();
      }
    }
    first_.back() = static_cast<id>(parameters_.size());
  }

  /// One more than the highest number.
  std::size_t count(hlo_computation c) const { return first_[c.id() + 1] - first_[c.id()]; }
  /// An empty view if there is none.
  template <class Integer>
  hlo_instruction of(hlo_computation c, Integer number) const {
    const bool there = std::in_range<std::size_t>(number) && static_cast<std::size_t>(number) < count(c);
    const id found = there ? parameters_[first_[c.id()] + static_cast<std::size_t>(number)] : none;
    return found == none ? hlo_instruction{} : module_.instruction(found);
  }

 private:
  hlo_module module_;
  record_list<id> first_;  // by computation, into parameters_
  record_list<id> parameters_;
};

}  // namespace hlolint
