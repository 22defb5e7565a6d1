// The analyses whose code hlolint::compiled holds, for contexts. Any type that is not listed is compiled where it is
// asked for.
#pragma once

#include <hlolint/text/compiled.hpp>

#include <memory>
#include <type_traits>

namespace hlolint {

class context;

namespace detail {

template <class... T>
struct analysis_list {
  template <class Analysis>
  static constexpr bool has = (std::is_same_v<Analysis, T> || ...);
};

}  // namespace detail

/// The list. It declares these classes.
using compiled_analyses = detail::analysis_list<
    class alias_sets, class async_windows, class buffer_conflicts, class call_graph, class carried_elements,
    struct chosen_size_rule, class clobbers, class completed_dump, class computation_parameters, class dataflow,
    class dependence_graph, class device_dependence, class exposed_time, class flat_schedule, class hidden_conflicts,
    class instruction_names, class instruction_texts, class instruction_times, class instructions_by_opcode,
    class live_chunks, class live_ranges, class loop_repeats, class loops, class matched_values,
    class memory_completion, class memory_estimate, class module_groups, class occupancy, class packing_bound,
    class recomputation, class repack, class root_elements, class sole_operations, class transfer_sources, class users,
    class value_table, class wasted_results, class work_times>;

namespace detail {

#ifdef HLOLINT_COMPILED
template <class Analysis>
inline constexpr bool is_compiled_analysis = compiled_analyses::has<Analysis>;
#else
template <class Analysis>
inline constexpr bool is_compiled_analysis = false;
#endif

/// An analysis of the list, made by the compiled library.
template <class Analysis>
std::shared_ptr<void> make_compiled(const context& dump);

}  // namespace detail
}  // namespace hlolint
