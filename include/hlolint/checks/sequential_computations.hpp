#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/checks/check_code.hpp>

namespace hlolint::detail {

/// The computations whose instructions run one after the other: not those of fusions and reducers.
inline record_list<hlo_computation> sequential_computations(const context& dump) {
  const auto& graph = dump.get<call_graph>();
  record_list<hlo_computation> out;
  for (const hlo_computation c : dump.hlo()->computations())
    if (graph.is_sequential(c)) out.push_back(c);
  return out;
}

}  // namespace hlolint::detail
