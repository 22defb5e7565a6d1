// The analyses whose code hlolint::compiled holds, for contexts. Any type that is not listed is compiled where it is
// asked for.
#pragma once

#include <hlolint/text/compiled.hpp>

#include <memory>
#include <type_traits>

namespace hlolint {

class context;

class alias_sets;
class async_windows;
class buffer_conflicts;
class call_graph;
class carried_elements;
class clobbers;
class completed_dump;
class computation_parameters;
class dataflow;
class dependence_graph;
class device_dependence;
class exposed_time;
class flat_schedule;
class hidden_conflicts;
class instruction_names;
class instruction_texts;
class instruction_times;
class instructions_by_opcode;
class live_chunks;
class live_ranges;
class loop_repeats;
class loops;
class matched_values;
class measured_step;
class measured_times;
class memory_completion;
class memory_estimate;
class module_groups;
class occupancy;
class packing_bound;
class repack;
class root_elements;
class sole_operations;
class transfer_sources;
class users;
class value_table;
class value_weights;
class verification;
class wasted_results;
class weights_read;
class work_times;
struct chosen_size_rule;
struct memory_profile;
struct step_summary;

namespace detail {

template <class... T>
struct analysis_list {
  template <class Analysis>
  static constexpr bool has = (std::is_same_v<Analysis, T> || ...);
};
using compiled_analyses = analysis_list<
    alias_sets, async_windows, buffer_conflicts, call_graph, carried_elements, chosen_size_rule, clobbers,
    completed_dump, computation_parameters, dataflow, dependence_graph, device_dependence, exposed_time, flat_schedule,
    hidden_conflicts, instruction_names, instruction_texts, instruction_times, instructions_by_opcode, live_chunks,
    live_ranges, loop_repeats, loops, matched_values, measured_step, measured_times, memory_completion, memory_estimate,
    memory_profile, module_groups, occupancy, packing_bound, repack, root_elements, sole_operations, step_summary,
    transfer_sources, users, value_table, value_weights, verification, wasted_results, weights_read, work_times>;

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
