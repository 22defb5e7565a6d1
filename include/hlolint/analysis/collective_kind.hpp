// What two collectives have in common, however each is written.
#pragma once

#include <hlolint/grammar/attribute_access.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>

namespace hlolint {

/// The synchronous opcode of a collective or of its start; other opcodes as they are.
constexpr hlo_opcode collective_kind(hlo_opcode opcode) {
  switch (opcode) {
    using enum hlo_opcode;
    case all_gather_start: return all_gather;
    case all_reduce_start: return all_reduce;
    case collective_permute_start: return collective_permute;
    default: return opcode;
  }
}

/// Whether two collectives name the same groups in the same order, or the same pairs. True if one of them does not say.
inline bool same_devices(hlo_instruction a, hlo_instruction b) {
  const auto first = get<source_target_pairs>(a), second = get<source_target_pairs>(b);
  if (first && second) return first->pairs == second->pairs;
  const auto x = get<replica_groups>(a), y = get<replica_groups>(b);
  return !x || !y || x->groups == y->groups;
}

}  // namespace hlolint
