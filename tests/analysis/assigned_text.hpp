// Assignments of buffers as text that tests compare.
#pragma once

#include "module_of.hpp"

#include <hlolint/analysis/assignment/buffer_assignment.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hlolint::testing {

/// `sizes 256 768; 0: p; 1: v w{1}@256`: the allocations, and the values in each with their offsets.
inline std::string text_of(const buffer_assignment& made, const buffer_plan& plan) {
  std::string out = "sizes";
  for (const planned_allocation& a : plan.allocations) out += " " + std::to_string(a.size);
  for (std::uint32_t a = 0; a < plan.allocations.size(); ++a) {
    out += "; " + std::to_string(a) + ":";
    for (std::size_t v = 0; v < plan.values.size(); ++v) {
      if (plan.values[v].allocation != a) continue;
      const hlo_value& value = made.flow().values()[v];
      const hlo_instruction i = made.flow().instruction(value);
      out += " " + std::string(i.name());
      if (made.flow().tables().places.is_tuple(i.id(), 0)) out += to_string(made.flow().index(value.defined));
      if (plan.values[v].offset != 0) out += "@" + std::to_string(plan.values[v].offset);
    }
  }
  return out;
}

/// Of no back-end, with an alignment that shows.
inline assignment_rules plain_rules() {
  assignment_rules out = assignment_rules::of(target::unknown);
  out.alignment = 256;
  return out;
}
/// What is assigned to a text.
inline std::string assigned(std::string_view text, const assignment_rules& rules = plain_rules()) {
  const hlo_module module = module_of(text);
  const buffer_assignment made(module, rules);
  return text_of(made, made.plan());
}

}  // namespace hlolint::testing
