// What the analyses of values look up in a module, made once.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/async_chains.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/ir/module.hpp>

namespace hlolint {

/// What nearly every analysis of a module needs, made together.
struct module_tables {
  /// Linear in the module, up to logarithms.
  explicit module_tables(const hlo_module& of)
      : module(of), all_users(of), calls(of), parameters(of), places(of), chains(of, all_users, places, parameters) {}
  /// As a context makes it, with copies of the tables that others ask for as well: they cost less than new ones.
  template <analysis_cache Cache>
  explicit module_tables(const Cache& cache)
      : module(*cache.hlo()),
        all_users(cache.template get<users>()),
        calls(cache.template get<call_graph>()),
        parameters(cache.template get<computation_parameters>()),
        places(module),
        chains(module, all_users, places, parameters) {}

  /// Whether a computation is only part of an instruction, or of none. Values neither flow in nor out there.
  bool is_embedded(hlo_computation c) const {
    const execution how = calls.execution_of(c);
    return how == execution::embedded || how == execution::unreached;
  }

  hlo_module module;  ///< the module that the tables are of
  users all_users;  ///< who reads what
  call_graph calls;  ///< who calls what
  computation_parameters parameters;  ///< parameters by number
  shape_places places;  ///< parts of all results
  async_chains chains;  ///< chains of async operations
};

}  // namespace hlolint
