// The names of attributes of instructions, computations and module headers (hlo_text.md 2, 7, 8).
#pragma once

#include <hlolint/text/name_table.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// In alphabetical order; `unknown` keeps its spelling in the attribute.
enum class attribute_key : std::uint16_t {
  algorithm, alias_passthrough_params, allow_spmd_sharding_propagation_to_output,
  allow_spmd_sharding_propagation_to_parameters, api_version, async_execution_thread, backend_config,
  batch_group_count, body, branch_computations, buffer_donor, called_computations, calls, channel_id,
  collapsed_slice_dims, condition, constrain_layout, control_predecessors, convolution_kind,
  cross_program_prefetch_index, custom_call_has_side_effect, custom_call_target, debug_attributes, delta, dim_labels,
  dimensions, direction, distribution, domain, dynamic_slice_sizes, entry_computation_layout, epsilon,
  execution_thread, exponent_bits, false_computation, feature_group_count, feature_index, fft_length, fft_type,
  frontend_attributes, has_dynamic_root, index, index_vector_dim, indices_are_sorted, infeed_config,
  inferred_dimension, input_batching_dims, input_output_alias, inserted_window_dims, iota_dimension, is_associative,
  is_composite, is_host_transfer, is_reverse, is_scheduled, is_stable, k, kind, largest, left_side, lhs_batch_dims,
  lhs_contracting_dims, lhs_ragged_dims, literal, lower, mantissa_bits, metadata, mode, num_carries, num_partitions,
  offset_dims, operand_batching_dims, operand_layout_constraints, operand_precision, origin, origin_recovery_table,
  outfeed_config, outfeed_shape, output_to_operand_aliasing, padding, padding_type, parameter_replication,
  replica_count, replica_groups, result_accuracy, rhs_batch_dims, rhs_contracting_dims, rhs_group_dims, scatter,
  scatter_dims_to_operand_dims, scatter_indices_batching_dims, schedule, select, sharding, slice, slice_sizes,
  source_target_pairs, sparsity_config, start_index_map, start_indices_batching_dims, statistics, to_apply,
  transpose_a, true_computation, type, unique_indices, unit_diagonal, update_window_dims, use_global_device_ids,
  window,
  unknown
};

/// The keys as XLA writes them, by their enumerators.
inline constexpr std::array<std::string_view, 111> attribute_key_names{
    "algorithm", "alias_passthrough_params", "allow_spmd_sharding_propagation_to_output",
    "allow_spmd_sharding_propagation_to_parameters", "api_version", "async_execution_thread", "backend_config",
    "batch_group_count", "body", "branch_computations", "buffer_donor", "called_computations", "calls", "channel_id",
    "collapsed_slice_dims", "condition", "constrain_layout", "control-predecessors", "convolution_kind",
    "cross_program_prefetch_index", "custom_call_has_side_effect", "custom_call_target", "debug_attributes", "delta",
    "dim_labels", "dimensions", "direction", "distribution", "domain", "dynamic_slice_sizes",
    "entry_computation_layout", "epsilon", "execution_thread", "exponent_bits", "false_computation",
    "feature_group_count", "feature_index", "fft_length", "fft_type", "frontend_attributes", "has_dynamic_root",
    "index", "index_vector_dim", "indices_are_sorted", "infeed_config", "inferred_dimension", "input_batching_dims",
    "input_output_alias", "inserted_window_dims", "iota_dimension", "is_associative", "is_composite",
    "is_host_transfer", "is_reverse", "is_scheduled", "is_stable", "k", "kind", "largest", "left_side",
    "lhs_batch_dims", "lhs_contracting_dims", "lhs_ragged_dims", "literal", "lower", "mantissa_bits", "metadata",
    "mode", "num_carries", "num_partitions", "offset_dims", "operand_batching_dims", "operand_layout_constraints",
    "operand_precision", "origin", "origin_recovery_table", "outfeed_config", "outfeed_shape",
    "output_to_operand_aliasing", "padding", "padding_type", "parameter_replication", "replica_count",
    "replica_groups", "result_accuracy", "rhs_batch_dims", "rhs_contracting_dims", "rhs_group_dims", "scatter",
    "scatter_dims_to_operand_dims", "scatter_indices_batching_dims", "schedule", "select", "sharding", "slice",
    "slice_sizes", "source_target_pairs", "sparsity_config", "start_index_map", "start_indices_batching_dims",
    "statistics", "to_apply", "transpose_a", "true_computation", "type", "unique_indices", "unit_diagonal",
    "update_window_dims", "use_global_device_ids", "window",
    "unknown"};

/// As XLA writes it; `unknown` for a key that XLA did not have when this was written.
constexpr std::string_view name_of(attribute_key key) { return attribute_key_names[static_cast<std::size_t>(key)]; }

/// `unknown` for any other word.
constexpr attribute_key find_attribute_key(std::string_view word) {
  const int found = name_table<attribute_key_names>::find(word);
  return found < 0 ? attribute_key::unknown : static_cast<attribute_key>(found);
}

static_assert(find_attribute_key("control-predecessors") == attribute_key::control_predecessors);
static_assert(find_attribute_key("frontend_attribute") == attribute_key::unknown);
static_assert(attribute_key_names.size() == 111 && attribute_key_names.back() == "unknown");

}  // namespace hlolint
