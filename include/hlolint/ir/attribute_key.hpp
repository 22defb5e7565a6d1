// The names of attributes of instructions, computations and module headers, and which opcodes take them (hlo_text.md 2,
// 7, 8).
#pragma once

#include <hlolint/text/name_table.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// The keys in alphabetical order. `unknown` is any other word; the attribute keeps its spelling.
// clang-format off
enum class attribute_key : std::uint16_t {
  algorithm, alias_passthrough_params, allow_spmd_sharding_propagation_to_output,
  allow_spmd_sharding_propagation_to_parameters, api_version, async_execution_thread, backend_config,
  batch_group_count, block_scaling_config, body, branch_computations, buffer_donor, called_computations, calls,
  channel_id, collapsed_slice_dims, condition, constrain_layout, control_predecessors, convolution_kind,
  cross_program_prefetch_index, custom_call_has_side_effect, custom_call_target, debug_attributes, delta, dim_labels,
  dimensions, direction, distribution, domain, dynamic_slice_sizes, entry_computation_layout, epsilon,
  execution_thread, exponent_bits, false_computation, feature_group_count, feature_index, fft_length, fft_type,
  frontend_attributes, has_dynamic_root, index, index_vector_dim, indices_are_sorted, infeed_config,
  inferred_dimension, input_batching_dims, input_output_alias, inserted_window_dims, iota_dimension, is_associative,
  is_composite, is_host_transfer, is_reverse, is_scheduled, is_stable, k, kind, largest, left_side, lhs_batch_dims,
  lhs_contracting_dims, lhs_ragged_dims, literal, lower, mantissa_bits, metadata, mode, num_carries, num_partitions,
  offset_dims, operand_batching_dims, operand_layout_constraints, operand_precision, order, origin,
  origin_recovery_table, outfeed_config, outfeed_shape, output_to_operand_aliasing, padding, padding_type,
  parameter_replication, replica_count, replica_groups, result_accuracy, rhs_batch_dims, rhs_contracting_dims,
  rhs_group_dims, scatter, scatter_dims_to_operand_dims, scatter_indices_batching_dims, schedule, select, sharding,
  shifts, slice, slice_sizes, source_target_pairs, sparsity_config, start_index_map, start_indices_batching_dims,
  statistics, to_apply, transpose_a, true_computation, type, unique_indices, unit_diagonal, update_window_dims,
  use_global_device_ids, window,
  unknown
};
// clang-format on

/// The keys as XLA writes them, by their enumerators.
// clang-format off
inline constexpr auto attribute_key_names = std::to_array<std::string_view>({
    "algorithm", "alias_passthrough_params", "allow_spmd_sharding_propagation_to_output",
    "allow_spmd_sharding_propagation_to_parameters", "api_version", "async_execution_thread", "backend_config",
    "batch_group_count", "block_scaling_config", "body", "branch_computations", "buffer_donor", "called_computations",
    "calls", "channel_id", "collapsed_slice_dims", "condition", "constrain_layout", "control-predecessors",
    "convolution_kind", "cross_program_prefetch_index", "custom_call_has_side_effect", "custom_call_target",
    "debug_attributes", "delta", "dim_labels", "dimensions", "direction", "distribution", "domain",
    "dynamic_slice_sizes", "entry_computation_layout", "epsilon", "execution_thread", "exponent_bits",
    "false_computation", "feature_group_count", "feature_index", "fft_length", "fft_type", "frontend_attributes",
    "has_dynamic_root", "index", "index_vector_dim", "indices_are_sorted", "infeed_config", "inferred_dimension",
    "input_batching_dims", "input_output_alias", "inserted_window_dims", "iota_dimension", "is_associative",
    "is_composite", "is_host_transfer", "is_reverse", "is_scheduled", "is_stable", "k", "kind", "largest", "left_side",
    "lhs_batch_dims", "lhs_contracting_dims", "lhs_ragged_dims", "literal", "lower", "mantissa_bits", "metadata",
    "mode", "num_carries", "num_partitions", "offset_dims", "operand_batching_dims", "operand_layout_constraints",
    "operand_precision", "order", "origin", "origin_recovery_table", "outfeed_config", "outfeed_shape",
    "output_to_operand_aliasing", "padding", "padding_type", "parameter_replication", "replica_count",
    "replica_groups", "result_accuracy", "rhs_batch_dims", "rhs_contracting_dims", "rhs_group_dims", "scatter",
    "scatter_dims_to_operand_dims", "scatter_indices_batching_dims", "schedule", "select", "sharding", "shifts",
    "slice", "slice_sizes", "source_target_pairs", "sparsity_config", "start_index_map", "start_indices_batching_dims",
    "statistics", "to_apply", "transpose_a", "true_computation", "type", "unique_indices", "unit_diagonal",
    "update_window_dims", "use_global_device_ids", "window",
    "unknown"});
// clang-format on

/// The key as XLA writes it, or `unknown`.
constexpr std::string_view name_of(attribute_key key) { return attribute_key_names[static_cast<std::size_t>(key)]; }

/// The key that a word is; `unknown` if it is none of the list.
constexpr attribute_key find_attribute_key(std::string_view word) {
  const int found = name_table<attribute_key_names>::find(word);
  return found < 0 ? attribute_key::unknown : static_cast<attribute_key>(found);
}

/// Attributes of older dumps that XLA no longer knows. They are kept as text.
// clang-format off
inline constexpr std::array<std::string_view, 16> old_attribute_names{
    "sparsity", "async_group_id", "async_thread_name", "is_cross_program_prefetch", "outer_dimension_partitions",
    "conv_kind", "barrier", "all_reduce_id", "opaque", "channel_name", "cost_estimate_ns", "replica_group_ids",
    "elided_window_dims", "output_window_dims", "gather_dims_to_operand_dims", "window_bounds"};
// clang-format on
/// Whether a key is an attribute of older versions of XLA.
constexpr bool is_old_attribute(std::string_view key) { return name_table<old_attribute_names>::find(key) >= 0; }

/// Whether an attribute refers to computations or instructions by their names.
constexpr bool holds_names(attribute_key key) {
  switch (key) {
    using enum attribute_key;
    // clang-format off
    case body: case branch_computations: case called_computations: case calls: case condition:
    case control_predecessors: case false_computation: case scatter: case select: case to_apply:
    case true_computation: return true;
      // clang-format on
    default: return false;
  }
}

static_assert(attribute_key_names.size() == static_cast<std::size_t>(attribute_key::unknown) + 1 &&
              attribute_key_names.back() == "unknown");

/// A list of types of attribute values, each of which has a `key`. The lists stand beside the types.
template <class... Value>
struct attribute_types {};

namespace detail {

/// A row of the table of hlo_text.md 8 as text: how many operands and which attributes some opcodes take.
/// grammar/attributes/opcode_rules.hpp reads the table at compile time, so a spelling mistake does not compile.
struct rules_row {
  std::string_view arity;  ///< a number, or n for any number
  std::string_view opcodes;
  std::string_view attributes;  ///< `!` marks required ones; `/one`, `/random` and so on: see attribute_form
};

inline constexpr std::string_view common_attributes =
    "sharding frontend_attributes statistics parameter_replication "
    "control-predecessors origin metadata backend_config";

inline constexpr rules_row rules_rows[]{
    {"1",
     "abs ceil copy count-leading-zeros floor imag is-finite negate not opt-barrier popcnt real round-nearest-afz "
     "round-nearest-even sign",
     ""},
    {"1",
     "acos acosh asin asinh atanh cbrt cosine cosh erf exp2 exponential exponential-minus-one log log-plus-one log2 "
     "logistic rsqrt sine sinh sqrt tan tanh",
     "result_accuracy"},
    {"2",
     "add and atan2 complex divide maximum minimum mulhi multiply or power remainder shift-left "
     "shift-right-arithmetic shift-right-logical subtract xor add-dependency",
     ""},
    {"2", "stochastic-convert", ""},
    {"2", "compare", "direction! type order"},
    {"3", "clamp select", ""},
    {"1", "bitcast bitcast-convert convert copy-done all-gather-done all-reduce-done collective-permute-done", ""},
    {"1", "copy-start", "cross_program_prefetch_index"},
    {"0", "parameter constant", ""},
    {"0", "iota", "iota_dimension!"},
    {"0", "partition-id replica-id", ""},
    {"n", "tuple after-all", ""},
    {"1", "get-tuple-element", "index!"},
    {"1", "broadcast", "dimensions"},
    {"1", "reshape", "inferred_dimension"},
    {"n", "dynamic-reshape dynamic-update-slice", ""},
    {"1", "transpose reverse", "dimensions!"},
    {"1", "shuffle", "dimensions! shifts! mode/shuffle!"},
    {"n", "concatenate", "dimensions/one!"},
    {"1", "slice", "slice!"},
    {"n", "dynamic-slice", "dynamic_slice_sizes!"},
    {"2", "pad", "padding!"},
    {"2", "gather",
     "offset_dims! collapsed_slice_dims! start_index_map! index_vector_dim! slice_sizes! "
     "indices_are_sorted operand_batching_dims start_indices_batching_dims"},
    {"n", "scatter",
     "update_window_dims! inserted_window_dims! scatter_dims_to_operand_dims! index_vector_dim! "
     "to_apply! indices_are_sorted unique_indices input_batching_dims "
     "scatter_indices_batching_dims"},
    {"n", "reduce", "dimensions! to_apply!"},
    {"n", "reduce-window", "window to_apply!"},
    {"3", "select-and-scatter", "select! scatter! window"},
    {"n", "map", "to_apply! dimensions"},
    {"n", "sort", "dimensions/one! is_stable to_apply!"},
    {"n", "scan", "to_apply! dimensions/one! num_carries! is_reverse is_associative"},
    {"1", "topk", "k! largest is_stable"},
    {"2", "dot",
     "lhs_contracting_dims rhs_contracting_dims lhs_batch_dims rhs_batch_dims "
     "operand_precision algorithm sparsity_config block_scaling_config"},
    {"3", "ragged-dot",
     "lhs_contracting_dims rhs_contracting_dims lhs_batch_dims rhs_batch_dims lhs_ragged_dims "
     "rhs_group_dims operand_precision"},
    {"4", "scaled-dot",
     "lhs_contracting_dims rhs_contracting_dims lhs_batch_dims rhs_batch_dims "
     "operand_precision algorithm"},
    {"n", "convolution",
     "window dim_labels! feature_group_count batch_group_count convolution_kind "
     "operand_precision algorithm sparsity_config block_scaling_config"},
    {"1", "fft", "fft_type! fft_length!"},
    {"1", "cholesky", "lower"},
    {"2", "triangular-solve", "left_side lower unit_diagonal transpose_a"},
    {"3", "batch-norm-training", "epsilon! feature_index!"},
    {"5", "batch-norm-inference batch-norm-grad", "epsilon! feature_index!"},
    {"1", "reduce-precision", "exponent_bits! mantissa_bits!"},
    {"n", "rng", "distribution!"},
    {"1", "rng-bit-generator", "algorithm/random!"},
    {"0", "rng-get-and-update-state", "delta!"},
    {"1", "get-dimension-size", "dimensions/one!"},
    {"2", "set-dimension-size", "dimensions/one!"},
    {"1", "domain", "domain!"},
    {"1", "infeed", "infeed_config"},
    {"2", "outfeed", "outfeed_config outfeed_shape"},
    {"1", "while", "condition! body!"},
    {"n", "conditional", "true_computation false_computation branch_computations"},
    {"n", "call", "to_apply! is_composite"},
    {"n", "fusion", "calls! kind! output_to_operand_aliasing"},
    {"n", "custom-call",
     "custom_call_target! window dim_labels feature_group_count batch_group_count "
     "operand_layout_constraints custom_call_has_side_effect to_apply called_computations "
     "output_to_operand_aliasing padding_type literal operand_precision "
     "schedule api_version"},
    {"n", "all-gather all-gather-start",
     "replica_groups channel_id dimensions/one! constrain_layout use_global_device_ids"},
    {"n", "all-reduce all-reduce-start",
     "to_apply! replica_groups channel_id constrain_layout use_global_device_ids mode"},
    {"n", "reduce-scatter",
     "to_apply! replica_groups channel_id constrain_layout use_global_device_ids mode "
     "dimensions/one!"},
    {"n", "all-to-all", "replica_groups channel_id dimensions/one constrain_layout"},
    {"n", "ragged-all-to-all", "replica_groups channel_id dimensions/one"},
    {"n", "collective-broadcast", "has_dynamic_root replica_groups channel_id"},
    {"n", "collective-reduce",
     "to_apply! replica_groups channel_id constrain_layout use_global_device_ids has_dynamic_root"},
    {"n", "collective-permute collective-permute-start", "source_target_pairs! channel_id slice_sizes/lists"},
    {"1", "recv recv-done send-done", "channel_id is_host_transfer"},
    {"2", "send", "channel_id is_host_transfer"},
    {"n", "async-start", "async_execution_thread output_to_operand_aliasing calls!"},
    {"n", "async-update", "async_execution_thread output_to_operand_aliasing calls"},
    {"n", "async-done", "async_execution_thread calls"},
};

inline constexpr std::string_view header_attributes =
    "is_scheduled replica_count num_partitions input_output_alias buffer_donor "
    "alias_passthrough_params entry_computation_layout frontend_attributes "
    "allow_spmd_sharding_propagation_to_parameters allow_spmd_sharding_propagation_to_output "
    "origin_recovery_table debug_attributes backend_config";

}  // namespace detail

}  // namespace hlolint
