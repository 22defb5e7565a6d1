// Which computations the values are followed through.
#pragma once

#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>

namespace hlolint {

/// What a `dataflow` has values of.
enum class value_scope : std::uint8_t {
  everything,  ///< every computation, as XLA: with this the numbers of values are XLA's
  scheduled    ///< those that can run step by step. The bodies of fusions, most of a big program, are left out.
};

/// By computation: whether its values are followed. In the narrow scope a computation is left out if nothing flows in
/// or out: it is part of an instruction, nothing calls it step by step, and it calls nothing so itself.
inline record_list<bool> followed_computations(const module_tables& tables, value_scope scope) {
  record_list<bool> out(tables.module.computation_count(), scope == value_scope::everything);
  if (scope == value_scope::everything) return out;
  for (const hlo_computation c : tables.module.computations())
    if (!tables.is_embedded(c)) out[c.id()] = true;
  for (const hlo_instruction i : tables.module.instructions()) {
    if (!calls_sequentially(i.opcode()) && !is_async_opcode(i.opcode())) continue;
    out[i.computation().id()] = true;
    for (const hlo_computation called : i.called_computations())
      if (called) out[called.id()] = true;
  }
  return out;
}

}  // namespace hlolint
