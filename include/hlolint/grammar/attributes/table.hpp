// The attributes of instructions, computations and module headers: from key to rule (hlo_text.md 2, 7, 8). The tables
// check a value and keep its text; get.hpp makes typed values of it.
#pragma once

#include <hlolint/grammar/attributes/aliases.hpp>
#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/group_decoding.hpp>
#include <hlolint/grammar/attributes/metadata.hpp>
#include <hlolint/grammar/attributes/numbers.hpp>
#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/grammar/attributes/operations.hpp>
#include <hlolint/grammar/attributes/origins.hpp>
#include <hlolint/grammar/attributes/shardings.hpp>
#include <hlolint/grammar/attributes/texts.hpp>
#include <hlolint/grammar/attributes/windows.hpp>
#include <hlolint/grammar/hlo/shape.hpp>
#include <hlolint/grammar/x3/by.hpp>
#include <hlolint/ir/attribute_key.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/operation_values.hpp>

namespace hlolint::scan {

/// `key=` with any key. `original_value` is the older name of `origin`.
constexpr const char* attribute_head(const char* p, const char* last, grammar::written_attribute& value) {
  p = attribute_name(p, last, value.name);
  if (p) value.key = value.name == "original_value" ? attribute_key::origin : find_attribute_key(value.name);
  return p;
}

}  // namespace hlolint::scan

namespace hlolint::grammar {

inline namespace tokens {
inline constexpr token<&scan::attribute_head> attribute_head{};
}

/// value<rule>("a shape"): the rule, which sees only the context that all languages share; if it fails, the state notes
/// that a shape was expected. It gives each row a short type: the type of a rule spells out the whole rule, and a table
/// of such types takes seconds to compile.
template <const auto& Rule>
struct value_parser : parser_part, valued<x3::unused_type> {
  constexpr explicit value_parser(const char* e) : expected(e) {}
  template <class Context, class RuleValue, class To>
  bool parse(const char*& first, const char* const& last, const Context& context, RuleValue&, To&) const {
    const auto& shared = shared_context(context);
    return Rule.parse(first, last, shared, x3::unused, x3::unused) || note_failure(first, last, shared, expected);
  }
  const char* expected;
};
template <const auto& Rule>
constexpr value_parser<Rule> value(const char* expected) {
  return value_parser<Rule>(expected);
}

// {1,2}   {{1},{2}}
inline constexpr auto int_lists_or_ints = &('{' >> x3::lit('{')) >> intlists | number_rules::int_list;
// true   {true,false}
inline constexpr auto bool_or_bools = boolean | bools;

/// The row of a type's attribute.
template <class T>
constexpr auto row_for() {
  return on(T::key)[value<attribute_rule<T>.written>(attribute_rule<T>.expected)];
}

/// The keys whose values have one of the plain forms. The fast path (grammar/printed/) asks for them, too.
namespace keys {
using enum attribute_key;
using integer_lists =
    key_list<dimensions, lhs_contracting_dims, rhs_contracting_dims, lhs_batch_dims, rhs_batch_dims, lhs_ragged_dims,
             rhs_group_dims, dynamic_slice_sizes, offset_dims, collapsed_slice_dims, start_index_map,
             operand_batching_dims, start_indices_batching_dims, update_window_dims, inserted_window_dims,
             scatter_dims_to_operand_dims, input_batching_dims, scatter_indices_batching_dims, fft_length, shifts>;
using integers = key_list<index, iota_dimension, index_vector_dim, inferred_dimension, num_carries, k,
                          feature_group_count, batch_group_count, feature_index, exponent_bits, mantissa_bits, delta>;
using booleans = key_list<is_stable, is_reverse, is_associative, is_composite, is_host_transfer, indices_are_sorted,
                          unique_indices, largest, lower, left_side, unit_diagonal, custom_call_has_side_effect,
                          constrain_layout, use_global_device_ids, has_dynamic_root>;
}  // namespace keys

/// The attributes of an instruction: those with types of their own, then the others. The caller has the rules of values
/// that name computations and instructions: `computation` a name or a body, `computations` a list of those,
/// `predecessors` a list of instructions, `literal_and_shape` a literal with its shape.
template <class Computation, class Computations, class Predecessors, class Literal, class... T, class... Operation>
constexpr auto attribute_table(const Computation& computation, const Computations& computations,
                               const Predecessors& predecessors, const Literal& literal_and_shape,
                               attribute_types<T...>, attribute_types<Operation...>) {
  using enum attribute_key;
  return by(attribute_head)(
      row_for<T>()..., row_for<Operation>()...,
      on(calls, to_apply, body, condition, select, scatter, true_computation,
         false_computation)[must("a computation")[computation]],
      on(branch_computations, called_computations)[must("a list of computations")[computations]],
      on(control_predecessors)[must("a list of instructions")[predecessors]],
      on(keys::integer_lists{})[value<grammar::number_rules::int_list>("a list of integers such as {0,1}")],
      on(keys::integers{})[value<grammar::integer>("an integer")],
      on(cross_program_prefetch_index)[value<grammar::int32>("an integer")],
      on(keys::booleans{})[value<grammar::boolean>("true or false")],
      on(infeed_config, outfeed_config)[value<grammar::string>("a string")],
      on(kind)[value<grammar::fusion_kind>("kLoop, kInput, kOutput or kCustom")],
      on(direction)[value<grammar::direction>("EQ, NE, GE, GT, LE or LT")],
      on(type)[value<grammar::comparison_type>("FLOAT, TOTALORDER, SIGNED or UNSIGNED")],
      on(order)[value<grammar::comparison_order>("TOTAL or PARTIAL")],
      on(slice_sizes)[value<int_lists_or_ints>("a list of integers, or of lists")],
      on(epsilon)[value<grammar::float32>("a number")],
      on(fft_type)[value<grammar::fft_type>("FFT, IFFT, RFFT or IRFFT")],
      on(transpose_a)[value<grammar::transpose>("NO_TRANSPOSE, TRANSPOSE or ADJOINT")],
      on(distribution)[value<grammar::distribution>("rng_uniform or rng_normal")],
      on(padding_type)[value<grammar::padding_type>("PADDING_VALID or PADDING_SAME")],
      on(convolution_kind)[value<grammar::convolution_kind>("fprop, wgrad, dgrad or unset")],
      on(mode)[value<grammar::any_mode>(
          "cross_replica, cross_partition, cross_replica_and_partition, flattened_id or rotate")],
      on(schedule)[value<grammar::schedule>("SCHEDULE_NONE, SCHEDULE_LATEST or SCHEDULE_EARLIEST")],
      on(api_version)[value<grammar::api_version>("a version such as API_VERSION_TYPED_FFI")],
      on(outfeed_shape)[value<grammar::any_shape>("a shape")],
      on(literal)[must("a literal with its shape")[without_state[literal_and_shape]]],
      on(domain)[value<grammar::domain>("a domain in braces")],
      on(sparsity_config)[value<grammar::sparsity_config>("a sparsity in braces")],
      on(block_scaling_config)[value<grammar::block_scaling_config>("scales in braces")],
      otherwise[value<grammar::balanced>("a value")]);
}

/// The attributes of a module's header.
inline constexpr auto header_attribute = []<class... T>(attribute_types<T...>) {
  using enum attribute_key;
  return by(attribute_head)(
      row_for<T>()..., on(is_scheduled, alias_passthrough_params)[value<grammar::boolean>("true or false")],
      on(replica_count, num_partitions)[value<grammar::integer>("an integer")],
      on(allow_spmd_sharding_propagation_to_parameters,
         allow_spmd_sharding_propagation_to_output)[value<bool_or_bools>("true, false or a list of them")],
      on(origin_recovery_table)[value<grammar::origin_recovery_table>("a table in braces")],
      on(debug_attributes)[value<grammar::debug_attributes>("debug attributes in braces")],
      otherwise[value<grammar::balanced>("a value")]);
}(header_attribute_types{});

/// The attributes after the closing brace of a computation.
inline constexpr auto computation_attribute =
    by(attribute_head)(on(attribute_key::execution_thread)[value<grammar::string>("a string")],
                       row_for<backend_config>(), otherwise[value<grammar::balanced>("a value")]);

}  // namespace hlolint::grammar
