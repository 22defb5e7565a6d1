// Collectives that are written but transfer nothing.
#pragma once

#include <hlolint/analysis/device_groups.hpp>
#include <hlolint/grammar/attribute_access.hpp>
#include <hlolint/ir/module.hpp>

namespace hlolint {

/// Whether a collective certainly moves nothing: groups of one device, or a permutation onto itself.
/// `collective` is the instruction with the attributes.
inline bool moves_nothing(hlo_instruction collective, const hlo_module& module) {
  if (const auto pairs = get<source_target_pairs>(collective)) {
    for (const auto& [source, target] : pairs->pairs)
      if (source != target) return false;
    return true;
  }
  const auto groups = find_device_groups(collective, module);
  return groups && groups->largest() <= 1;
}

}  // namespace hlolint
