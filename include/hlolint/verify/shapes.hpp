// The rules of XLA's verifier about the declared shapes of a result and its operands, where they are certain whatever
// options XLA verifies with (hlo_text.md 8.1), and the shape of a result that follows from the operands, which texts in
// short form leave out. shapes/ has them by kinds of operations.
#pragma once

#include <hlolint/grammar/printed/place.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/verify/async_results.hpp>
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
#include <optional>

namespace hlolint::module_rules {

/// The elements of a tuple are its operands.
[[gnu::cold]] inline void check_tuple_elements(const shape_case& c) {
  if (!c.result || !c.result->is_tuple() || c.result->elements.size() != c.i.operand_count()) return;
  for (std::size_t k = 0; k < c.i.operand_count(); ++k)
    if (const shape* const own = c.operand(k); own && certainly_differ(*own, c.result->elements[k]))
      return void(c.fail("element ", k, " of this tuple is ", *own, ", not ", c.result->elements[k]));
}

/// The index of a get-tuple-element, which is one of the tuple; nothing after a finding, or if it is not known.
inline std::optional<std::size_t> taken_element(const shape_case& c) {
  const shape* const whole = c.operand(0);
  const auto written = c.i.attribute(attribute_key::index);  // there are many of them, so digits are read as such
  if (!whole || whole->type == element_type::unknown || !written) return std::nullopt;
  grammar::printed::place digits{written->data(), written->data() + written->size()};
  std::int64_t index = 0;
  if (!digits.take_number(index)) index = leading_integer(*written).value_or(-1);
  if (!whole->is_tuple()) return c.fail("only a tuple has elements"), std::nullopt;
  if (index < 0 || static_cast<std::size_t>(index) >= whole->elements.size())
    return c.fail_at(attribute_key::index, "there is no element ", *written), std::nullopt;
  return static_cast<std::size_t>(index);
}
/// The result is the element.
inline void check_get_tuple_element(const shape_case& c) {
  const auto index = taken_element(c);
  const shape* const element = index ? &c.operand(0)->elements[*index] : nullptr;
  if (element && c.result && certainly_differ(*element, *c.result))
    c.fail("element ", *index, " is ", *element, ", not ", *c.result);
}

/// What is certain about the result of an instruction, for the checks and for texts in short form. Reports operands,
/// attributes and computations that do not fit.
inline inferred infer(const shape_case& c) {
  switch (c.i.opcode()) {
    using enum hlo_opcode;
    case add_dependency:
    case domain:
    case opt_barrier:
    case while_: return inferred(c.operand(0));
    case clamp: return inferred(c.operand(1));
    case select: return inferred(c.operand(2));
    case bitcast_convert: return infer_bitcast_convert(c);
    case cholesky: return infer_cholesky(c);
    case convolution: return infer_convolution(c);
    case dot: return infer_dot(c);
    case dynamic_slice: return infer_dynamic_slice(c);
    case dynamic_update_slice: return infer_dynamic_update_slice(c);
    case fft: return infer_fft(c);
    case gather: return infer_gather(c);
    case get_tuple_element: {
      const auto index = taken_element(c);
      return inferred(index ? &c.operand(0)->elements[*index] : nullptr);
    }
    case pad: return infer_pad(c);
    case reduce: return infer_reduce(c);
    case reduce_window: return infer_reduce_window(c);
    case hlo_opcode::reverse: return infer_reverse(c);
    case slice: return infer_slice(c);
    case transpose: return infer_transpose(c);
    case triangular_solve: return infer_triangular_solve(c);
    default: return infer_elementwise(c);
  }
}

/// Checks the shapes of an instruction.
inline void check_shapes(const shape_case& c) {
  const hlo_opcode opcode = c.i.opcode();
  if (const elementwise_rule& rule = elementwise_rules[static_cast<std::size_t>(opcode)];
      rule.types != elementwise_types::none)
    return void(check_elementwise(c, rule));
  switch (opcode) {
    using enum hlo_opcode;
    case all_gather: return check_shards(c, c.result, true);
    case all_gather_start: return check_all_gather_start(c);
    case all_gather_done:
    case all_reduce_done:
    case async_done:
    case collective_permute_done:
    case copy_done: return check_async_result(c);
    case all_reduce:
    case all_reduce_start:
    case collective_broadcast: return check_operands_kept(c);
    case all_to_all: return check_all_to_all(c);
    case batch_norm_grad:
    case batch_norm_inference:
    case batch_norm_training: return check_batch_norm(c);
    case bitcast: return check_bitcast(c);
    case broadcast: return check_broadcast(c);
    case call:
    case constant:
    case custom_call:
    case fusion:
    case parameter: return;  // there are many of them, and nothing is inferred
    case clamp: return check_clamp(c);
    case collective_permute:
      if (c.i.operand_count() == 1) check_operands_kept(c);
      return;
    case collective_permute_start: return check_permute_start(c);
    case concatenate: return check_concatenate(c);
    case conditional: return check_branches(c);
    case copy_start: return check_copy_start(c);
    case get_dimension_size:
    case set_dimension_size: return check_dimension_size(c);
    case get_tuple_element: return check_get_tuple_element(c);
    case iota: return check_iota(c);
    case map: return check_map(c);
    case reduce:
    case reduce_window: return check_reduced(c, infer(c));
    case reduce_scatter: return check_shards(c, c.result, false);
    case rng: return check_random_numbers(c);
    case rng_bit_generator: return check_random_bits(c);
    case scatter: return check_scatter(c);
    case select: return check_select(c);
    case select_and_scatter: return check_select_and_scatter(c);
    case sort: return check_sort(c);
    case tuple: return check_tuple_elements(c);
    case while_: return check_while(c);
    default: check_result(c, infer(c));
  }
}

}  // namespace hlolint::module_rules
