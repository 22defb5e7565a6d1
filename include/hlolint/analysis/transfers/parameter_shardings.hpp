// How the arguments of a partitioned program are spread over its devices.
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/sharding.hpp>

#include <cstddef>
#include <optional>
#include <vector>

namespace hlolint {

/// The parameters of the entry by number; empty views for numbers without one.
inline std::vector<hlo_instruction> entry_parameters(const hlo_module& module) {
  std::vector<hlo_instruction> out;
  if (!module.entry()) return out;
  for (const hlo_instruction i : module.entry().instructions())
    if (const auto number = parameter_position(i); number && *number < module.entry().instruction_count()) {
      if (*number >= out.size()) out.resize(*number + 1);
      out[*number] = i;
    }
  return out;
}

/// The sharding of each parameter of the entry, by number; nothing where it is not known. Compilers of today print none
/// in the final module, so that those of `earlier`, the module before optimizations, count; where that has none either,
/// a parameter that partitioning left as large as it was is replicated. `earlier` may be null, and has to live as long
/// as the result.
inline std::vector<std::optional<sharding>> parameter_shardings(const hlo_module& module, const hlo_module* earlier) {
  const std::vector<hlo_instruction> parameters = entry_parameters(module);
  std::vector<hlo_instruction> before = earlier ? entry_parameters(*earlier) : std::vector<hlo_instruction>{};
  if (before.size() != parameters.size()) before.assign(parameters.size(), {});
  std::vector<std::optional<sharding>> out;
  for (std::size_t n = 0; n < parameters.size(); ++n) {
    auto& how = out.emplace_back();
    if (parameters[n]) how = get<sharding>(parameters[n]);
    if (how || !parameters[n] || !before[n]) continue;
    how = get<sharding>(before[n]);
    const shape *const whole = before[n].shape(), *const part = parameters[n].shape();
    if (!how && whole && part && part->is_array() && compatible(*whole, *part))
      how.emplace().written = sharding::kind::replicated;
  }
  return out;
}

}  // namespace hlolint
