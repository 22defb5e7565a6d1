// The built-in checks, the analyses that contexts make, and the code that runs checks: a part of implementation.hpp.
#pragma once

#ifndef HLOLINT_COMPILES_CHECKS
#define HLOLINT_COMPILES_CHECKS
#endif
#include <hlolint/analysis/buffers/buffer_conflicts.hpp>
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/matched_values.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/buffers/value_table.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/call_graph.hpp>
#include <hlolint/analysis/program/instruction_names.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/program/loops.hpp>
#include <hlolint/analysis/program/sole_operations.hpp>
#include <hlolint/analysis/program/users.hpp>
#include <hlolint/analysis/schedule/clobbers.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/recomputation.hpp>
#include <hlolint/analysis/time/time_of_work.hpp>
#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/analysis/transfers/wasted_results.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/dependence_graph.hpp>
#include <hlolint/analysis/values/loop_invariants.hpp>
#include <hlolint/checks/all.hpp>
#include <hlolint/lint/compiled_analyses.hpp>
#include <hlolint/lint/context.hpp>
#include <hlolint/lint/lint.hpp>

#include <memory>
#include <tuple>

namespace hlolint::detail {

template <class Analysis>
std::shared_ptr<void> make_compiled(const context& dump) {
  return dump.make<Analysis>();
}

/// Compiles the makers of all these analyses here.
template <class List>
struct makers;
template <class... T>
struct makers<analysis_list<T...>> {
  static constexpr std::tuple<decltype(&make_compiled<T>)...> compiled{&make_compiled<T>...};
};
template struct makers<compiled_analyses>;

}  // namespace hlolint::detail
