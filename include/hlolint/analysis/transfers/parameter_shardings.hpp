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

/// The sharding of each parameter of the entry, by number; nothing where it is not known. Compilers of today print none
/// in the final module, so that those of `earlier`, the module before optimizations, count; where that has none for a
/// parameter, but for others, a parameter that partitioning left as large as it was is replicated. `earlier` may be
/// null, and has to live as long as the result. Linear in the modules.
inline std::vector<std::optional<sharding>> parameter_shardings(const hlo_module& module, const hlo_module* earlier) {
  std::vector<std::optional<sharding>> out;
  if (!module.entry()) return out;
  const computation_parameters parameters(module);
  out.resize(parameters.count(module.entry()));
  const auto read = [&](const computation_parameters& of, hlo_computation entry) {
    bool any = false;
    for (std::size_t n = 0; n < out.size(); ++n)
      if (const hlo_instruction i = of.of(entry, n); i && !out[n]) out[n] = get<sharding>(i), any = any || out[n];
    return any;
  };
  read(parameters, module.entry());
  if (!earlier || !earlier->entry()) return out;
  const computation_parameters before(*earlier);
  // A module without any may have been partitioned before it became HLO.
  if (before.count(earlier->entry()) != out.size() || !read(before, earlier->entry())) return out;
  for (std::size_t n = 0; n < out.size(); ++n) {
    const hlo_instruction whole = before.of(earlier->entry(), n), part = parameters.of(module.entry(), n);
    if (!out[n] && whole && whole.shape() && part && part.shape() && part.shape()->is_array() &&
        compatible(*whole.shape(), *part.shape()))
      out[n].emplace().written = sharding::kind::replicated;
  }
  return out;
}

}  // namespace hlolint
