// What the analyses of values look up in a module, made once.
#pragma once

#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/call_roles.hpp>
#include <hlolint/analysis/program/shape_places.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/transfers/async_chains.hpp>
#include <hlolint/ir/module.hpp>

namespace hlolint {

struct module_tables {
  explicit module_tables(const hlo_module& of)
      : module(of), all_users(of), calls(of), parameters(of), places(of), chains(of, all_users, places, parameters) {}

  /// Whether a computation is only part of an instruction, or of none. Values neither flow in nor out there.
  bool is_embedded(hlo_computation c) const {
    const execution how = calls.execution_of(c);
    return how == execution::embedded || how == execution::unreached;
  }

  hlo_module module;
  users all_users;
  call_graph calls;
  computation_parameters parameters;
  shape_places places;
  async_chains chains;
};

}  // namespace hlolint
