// The parts of a contract that cannot be evaluated on a module, because its dumps lack something.
#pragma once

#include <hlolint/checks/budget/memory_contract.hpp>
#include <hlolint/checks/collectives/collective_contract.hpp>
#include <hlolint/checks/module_contract.hpp>
#include <hlolint/checks/performance/sharding_contract.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/memory_estimate.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// A part of a contract that could not be evaluated.
struct unevaluated_contract {
  std::string_view rule;  ///< id of the rule that evaluates it
  std::string reason;     ///< what is missing, for people
  friend bool operator==(const unevaluated_contract&, const unevaluated_contract&) = default;
};

/// Empty if the whole contract can be evaluated, if it is not about this module, or if nothing of the module was read.
inline std::vector<unevaluated_contract> unevaluated_parts(const module_contract& agreed, const context& dump) {
  std::vector<unevaluated_contract> out;
  if (!(dump.hlo() || dump.buffers()) || !agreed.applies_to(dump.name())) return out;
  const auto require = [&](std::string_view rule, need needed, const std::string& key) {
    const need lacking = dump.missing(needed);
    if (lacking == need::nothing) return true;
    out.push_back({rule, key + (key.empty() ? "" : ": ") + std::string(reason_without(lacking))});
    return false;
  };
  if (agreed.limits_memory() && require(memory_contract::about.id, need::memory, {}) && agreed.max_peak &&
      dump.has(need::buffers) && !with_memory(dump).has(need::live_ranges))
    require(memory_contract::about.id, need::live_ranges, "max-peak");
  if (agreed.limits_collectives() && require(collective_contract::about.id, need::hlo, {})) {
    if (agreed.must_overlap) require(collective_contract::about.id, need::scheduled, "must-overlap");
    if (agreed.max_exposed_ms && require(collective_contract::about.id, need::scheduled, "max-exposed-ms") &&
        dump.device().is_relative())
      out.push_back({collective_contract::about.id, "max-exposed-ms: no device is known; name one with --device"});
  }
  if (agreed.limits_shardings() && require(sharding_contract::about.id, need::hlo, {}) && !has_shardings(dump))
    out.push_back({sharding_contract::about.id,
                   "no text has the shardings of its parameters (the module before optimizations has them)"});
  return out;
}

}  // namespace hlolint
