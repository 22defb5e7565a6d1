// The table of hlo_text.md 8 as text: which opcodes take how many operands and which attributes. opcode_rules.hpp reads
// it at compile time, so a spelling mistake does not compile.
#pragma once

#include <string_view>

namespace hlolint::grammar::detail {

struct rules_row {
  std::string_view arity;       // `~` first: the result shape may be left out; n: any number of operands
  std::string_view opcodes;
  std::string_view attributes;  // name/kind, `!`: required
};

inline constexpr std::string_view common_attributes =
    "sharding/sharding frontend_attributes/frontend statistics/statistics parameter_replication/replication "
    "control-predecessors/names origin/origin metadata/metadata backend_config/config";

inline constexpr rules_row rules_rows[]{
    {"~1", "abs ceil copy count-leading-zeros floor imag is-finite negate not opt-barrier popcnt real round-nearest-afz "
           "round-nearest-even sign", ""},
    {"~1", "acos acosh asin asinh atanh cbrt cosine cosh erf exponential exponential-minus-one log log-plus-one logistic "
           "rsqrt sine sinh sqrt tan tanh", "result_accuracy/accuracy"},
    {"~2", "add and atan2 complex divide maximum minimum mulhi multiply or power remainder shift-left "
           "shift-right-arithmetic shift-right-logical subtract xor add-dependency", ""},
    {"2", "stochastic-convert", ""},
    {"~2", "compare", "direction/direction! type/comparison"},
    {"~3", "clamp select", ""},
    {"1", "bitcast bitcast-convert convert copy-done all-gather-done all-reduce-done collective-permute-done", ""},
    {"1", "copy-start", "cross_program_prefetch_index/int32"},
    {"0", "parameter constant", ""},
    {"0", "iota", "iota_dimension/int!"},
    {"~0", "partition-id replica-id", ""},
    {"~n", "tuple after-all", ""},
    {"~1", "get-tuple-element", "index/int!"},
    {"~1", "broadcast", "dimensions/ints"},
    {"1", "reshape", "inferred_dimension/int"},
    {"n", "dynamic-reshape dynamic-update-slice", ""},
    {"~1", "transpose reverse", "dimensions/ints!"},
    {"~n", "concatenate", "dimensions/dim!"},
    {"1", "slice", "slice/slices!"},
    {"n", "dynamic-slice", "dynamic_slice_sizes/ints!"},
    {"~2", "pad", "padding/padding!"},
    {"~2", "gather",
     "offset_dims/ints! collapsed_slice_dims/ints! start_index_map/ints! index_vector_dim/int! slice_sizes/ints! "
     "indices_are_sorted/bool operand_batching_dims/ints start_indices_batching_dims/ints"},
    {"~n", "scatter",
     "update_window_dims/ints! inserted_window_dims/ints! scatter_dims_to_operand_dims/ints! index_vector_dim/int! "
     "to_apply/comp! indices_are_sorted/bool unique_indices/bool input_batching_dims/ints "
     "scatter_indices_batching_dims/ints"},
    {"~n", "reduce", "dimensions/ints! to_apply/comp!"},
    {"~n", "reduce-window", "window/window to_apply/comp!"},
    {"~3", "select-and-scatter", "select/comp! scatter/comp! window/window"},
    {"~n", "map", "to_apply/comp! dimensions/ints"},
    {"~n", "sort", "dimensions/dim! is_stable/bool to_apply/comp!"},
    {"~n", "scan", "to_apply/comp! dimensions/dim! num_carries/int! is_reverse/bool is_associative/bool"},
    {"~1", "topk", "k/int! largest/bool is_stable/bool"},
    {"~2", "dot",
     "lhs_contracting_dims/ints rhs_contracting_dims/ints lhs_batch_dims/ints rhs_batch_dims/ints "
     "operand_precision/precision algorithm/algorithm"},
    {"~3", "ragged-dot",
     "lhs_contracting_dims/ints rhs_contracting_dims/ints lhs_batch_dims/ints rhs_batch_dims/ints lhs_ragged_dims/ints "
     "rhs_group_dims/ints operand_precision/precision"},
    {"~4", "scaled-dot",
     "lhs_contracting_dims/ints rhs_contracting_dims/ints lhs_batch_dims/ints rhs_batch_dims/ints "
     "operand_precision/precision algorithm/algorithm"},
    {"~n", "convolution",
     "window/window dim_labels/labels! feature_group_count/int batch_group_count/int convolution_kind/convkind "
     "operand_precision/precision algorithm/algorithm sparsity_config/sparsity"},
    {"~1", "fft", "fft_type/fft! fft_length/ints!"},
    {"~1", "cholesky", "lower/bool"},
    {"~2", "triangular-solve", "left_side/bool lower/bool unit_diagonal/bool transpose_a/transpose"},
    {"~3", "batch-norm-training", "epsilon/float! feature_index/int!"},
    {"~5", "batch-norm-inference batch-norm-grad", "epsilon/float! feature_index/int!"},
    {"1", "reduce-precision", "exponent_bits/int! mantissa_bits/int!"},
    {"n", "rng", "distribution/distribution!"},
    {"1", "rng-bit-generator", "algorithm/rngalgorithm!"},
    {"0", "rng-get-and-update-state", "delta/int!"},
    {"~1", "get-dimension-size", "dimensions/dim!"},
    {"~2", "set-dimension-size", "dimensions/dim!"},
    {"~1", "domain", "domain/domain!"},
    {"1", "infeed", "infeed_config/string"},
    {"2", "outfeed", "outfeed_config/string outfeed_shape/shape"},
    {"~1", "while", "condition/comp! body/comp!"},
    {"~n", "conditional", "true_computation/comp false_computation/comp branch_computations/comps"},
    {"~n", "call", "to_apply/comp! is_composite/bool"},
    {"n", "fusion", "calls/comp! kind/kind! output_to_operand_aliasing/outalias"},
    {"n", "custom-call",
     "custom_call_target/string! window/window dim_labels/labels feature_group_count/int batch_group_count/int "
     "operand_layout_constraints/shapes custom_call_has_side_effect/bool to_apply/comp called_computations/comps "
     "output_to_operand_aliasing/outalias padding_type/padtype literal/literal operand_precision/precision "
     "schedule/schedule api_version/api"},
    {"n", "all-gather all-gather-start",
     "replica_groups/groups channel_id/int dimensions/dim! constrain_layout/bool use_global_device_ids/bool"},
    {"n", "all-reduce all-reduce-start",
     "to_apply/comp! replica_groups/groups channel_id/int constrain_layout/bool use_global_device_ids/bool mode/mode"},
    {"n", "reduce-scatter",
     "to_apply/comp! replica_groups/groups channel_id/int constrain_layout/bool use_global_device_ids/bool mode/mode "
     "dimensions/dim!"},
    {"n", "all-to-all", "replica_groups/groups channel_id/int dimensions/dim constrain_layout/bool"},
    {"n", "ragged-all-to-all", "replica_groups/groups channel_id/int dimensions/dim"},
    {"n", "collective-broadcast", "has_dynamic_root/bool replica_groups/groups channel_id/int"},
    {"n", "collective-permute collective-permute-start",
     "source_target_pairs/pairs! channel_id/int slice_sizes/intlists"},
    {"1", "recv recv-done send-done", "channel_id/int is_host_transfer/bool"},
    {"2", "send", "channel_id/int is_host_transfer/bool"},
    {"n", "async-start", "async_execution_thread/string output_to_operand_aliasing/outalias calls/comp!"},
    {"n", "async-update", "async_execution_thread/string output_to_operand_aliasing/outalias calls/comp"},
    {"n", "async-done", "async_execution_thread/string calls/comp"},
};

inline constexpr std::string_view header_attributes =
    "is_scheduled/bool replica_count/int num_partitions/int input_output_alias/alias buffer_donor/donor "
    "alias_passthrough_params/bool entry_computation_layout/complayout frontend_attributes/frontend "
    "allow_spmd_sharding_propagation_to_parameters/bools allow_spmd_sharding_propagation_to_output/bools "
    "origin_recovery_table/recovery debug_attributes/debug";

}  // namespace hlolint::grammar::detail
