// Buffer dumps that are made from plans, by the rules of any XLA.
#pragma once

#include "analysis/module_of.hpp"

#include <hlolint/analysis/assignment/buffer_assignment.hpp>
#include <hlolint/ir/buffers.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace hlolint::testing {

/// What is printed of the assignment by these rules, which is read again: so the dump has a date.
inline buffer_dump assigned_dump(const hlo_module& module, const assignment_rules& rules, bool changed_order = false) {
  const buffer_assignment made(module, rules);
  buffer_plan plan = made.plan();
  if (changed_order) std::swap(plan.allocations[0], plan.allocations[1]);
  std::string text = "BufferAssignment:\n";
  for (std::uint32_t a = 0; a < plan.allocations.size(); ++a) {
    text += "allocation " + std::to_string(a) + ": size " + std::to_string(plan.allocations[a].size) +
            (plan.allocations[a].is_temporary() ? ", preallocated-temp" : "") + ":\n";
    for (std::size_t v = 0; v < plan.values.size(); ++v) {
      const std::uint32_t at =
          changed_order && plan.values[v].allocation < 2 ? 1 - plan.values[v].allocation : plan.values[v].allocation;
      if (at == a)
        text += " value: <" + std::to_string(v) + " " +
                std::string(made.flow().instruction(made.flow().values()[v]).name()) +
                " @0> (size=" + std::to_string(plan.values[v].size) +
                ",offset=" + std::to_string(plan.values[v].offset) + "): f32[32]{0}\n";
    }
  }
  return buffers_of(text);
}

}  // namespace hlolint::testing
