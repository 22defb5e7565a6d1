// The rules of XLA's verifier about the declared shapes of a result and its operands, where they are certain whatever
// options XLA verifies with (hlo_text.md 8.1). shapes/ has them by kinds of operations.
#pragma once

#include <hlolint/grammar/printed/place.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/verify/shapes/algebra.hpp>
#include <hlolint/verify/shapes/arrangement.hpp>
#include <hlolint/verify/shapes/called.hpp>
#include <hlolint/verify/shapes/collectives.hpp>
#include <hlolint/verify/shapes/compare.hpp>
#include <hlolint/verify/shapes/contraction.hpp>
#include <hlolint/verify/shapes/elementwise.hpp>
#include <hlolint/verify/shapes/gather.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// The elements of a tuple are its operands.
[[gnu::cold]] inline void check_tuple_elements(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const result = i.shape();
  if (!result || !result->is_tuple() || result->elements.size() != i.operand_count()) return;
  for (std::size_t k = 0; k < i.operand_count(); ++k)
    if (const shape* const own = operand_shape(i, k); own && certainly_differ(*own, result->elements[k]))
      return out.add(place, str_cat({"element ", k, " of this tuple is ", to_string(*own), ", not ",
                                     to_string(result->elements[k])}));
}

/// The index of a get-tuple-element is one of the tuple, and the result is that element.
inline void check_get_tuple_element(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const whole = operand_shape(i, 0);
  const auto written = i.attribute(attribute_key::index);  // there are many of them, so digits are read as such
  if (!whole || whole->type == element_type::unknown || !written) return;
  grammar::printed::place digits{written->data(), written->data() + written->size()};
  std::int64_t index = 0;
  if (!digits.take_number(index)) index = leading_integer(*written).value_or(-1);
  if (!whole->is_tuple()) return out.add(place, "only a tuple has elements");
  if (index < 0 || static_cast<std::size_t>(index) >= whole->elements.size())
    return out.add(i.attribute_location(attribute_key::index).at.begin, str_cat({"there is no element ", *written}));
  const shape& element = whole->elements[static_cast<std::size_t>(index)];
  if (i.shape() && certainly_differ(element, *i.shape()))
    out.add(place, str_cat({"element ", index, " is ", to_string(element), ", not ", to_string(*i.shape())}));
}

/// The result is the operand.
[[gnu::cold]] inline void check_operand_kept(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const own = operand_shape(i, 0), *const result = i.shape();
  if (own && result) check_same(i, *own, *result, place, out);
}

/// Checks the shapes of an instruction.
inline void check_shapes(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const hlo_opcode opcode = i.opcode();
  if (const elementwise_rule& rule = elementwise_rules[static_cast<std::size_t>(opcode)];
      rule.types != elementwise_types::none)
    return check_elementwise(i, rule, place, out);
  switch (opcode) {
    using enum hlo_opcode;
    case add_dependency:
    case domain:
    case opt_barrier: return check_operand_kept(i, place, out);
    case all_gather: return check_shards(i, i.shape(), true, place, out);
    case all_gather_start: return check_all_gather_start(i, place, out);
    case all_reduce:
    case all_reduce_start:
    case collective_broadcast: return check_operands_kept(i, place, out);
    case all_to_all: return check_all_to_all(i, place, out);
    case batch_norm_grad:
    case batch_norm_inference:
    case batch_norm_training: return check_batch_norm(i, place, out);
    case bitcast: return check_bitcast(i, place, out);
    case bitcast_convert: return check_bitcast_convert(i, place, out);
    case broadcast: return check_broadcast(i, place, out);
    case cholesky: return check_cholesky(i, place, out);
    case clamp: return check_clamp(i, place, out);
    case collective_permute:
      if (i.operand_count() == 1) check_operands_kept(i, place, out);
      return;
    case collective_permute_start: return check_permute_start(i, place, out);
    case concatenate: return check_concatenate(i, place, out);
    case conditional: return check_branches(i, place, out);
    case convolution: return check_convolution(i, place, out);
    case copy_start: return check_copy_start(i, place, out);
    case dot: return check_dot(i, place, out);
    case dynamic_slice: return check_dynamic_slice(i, place, out);
    case dynamic_update_slice: return check_dynamic_update_slice(i, place, out);
    case fft: return check_fft(i, place, out);
    case gather: return check_gather(i, place, out);
    case get_dimension_size:
    case set_dimension_size: return check_dimension_size(i, place, out);
    case get_tuple_element: return check_get_tuple_element(i, place, out);
    case iota: return check_iota(i, place, out);
    case map: return check_map(i, place, out);
    case pad: return check_pad(i, place, out);
    case reduce: return check_reduce(i, place, out);
    case reduce_scatter: return check_shards(i, i.shape(), false, place, out);
    case reduce_window: return check_reduce_window(i, place, out);
    case reverse: return check_reverse(i, place, out);
    case rng: return check_random_numbers(i, place, out);
    case rng_bit_generator: return check_random_bits(i, place, out);
    case scatter: return check_scatter(i, place, out);
    case select: return check_select(i, place, out);
    case select_and_scatter: return check_select_and_scatter(i, place, out);
    case slice: return check_slice(i, place, out);
    case sort: return check_sort(i, place, out);
    case transpose: return check_transpose(i, place, out);
    case triangular_solve: return check_triangular_solve(i, place, out);
    case tuple: return check_tuple_elements(i, place, out);
    case while_: return check_while(i, place, out);
    default: return;
  }
}

}  // namespace hlolint::module_rules
