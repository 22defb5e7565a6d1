// How often the computations of a module run, looked up by name.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/ir/module.hpp>

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace hlolint {

/// How often computations run, by their names.
class runs_by_name {
 public:
  /// Linear in the module.
  explicit runs_by_name(const hlo_module& module) : runs_by_name(module, loops(module)) {}
  /// As a context makes it.
  template <analysis_cache Cache>
  explicit runs_by_name(const Cache& made) : runs_by_name(*made.hlo(), made.template get<loops>()) {}
  /// The product of the counts of all loops around it; 1 for a name that is not there.
  std::int64_t of(std::string_view computation) const {
    const auto found = times_.find(computation);
    return found == times_.end() ? 1 : found->second;
  }

 private:
  runs_by_name(const hlo_module& module, const loops& all_loops) : module_(module) {
    times_.reserve(module.computation_count());
    for (const hlo_computation c : module_.computations()) times_.emplace(c.name(), all_loops.runs_of(c).times);
  }

  hlo_module module_;  // the names are parts of its text
  std::unordered_map<std::string_view, std::int64_t> times_;
};

}  // namespace hlolint
