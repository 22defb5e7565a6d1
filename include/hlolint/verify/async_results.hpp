// The rule that the end of an asynchronous operation gives what its start has promised (hlo_text.md 8.1).
#pragma once

#include <hlolint/verify/operands.hpp>
#include <hlolint/verify/shapes/compare.hpp>

namespace hlolint::module_rules {

/// Whether an instruction starts an asynchronous operation, or hands one on.
inline bool may_be_start(const hlo_instruction& i) {
  switch (i.opcode()) {
    using enum hlo_opcode;
    case all_gather_start:
    case all_reduce_start:
    case async_start:
    case async_update:
    case collective_permute_start:
    case copy_start:
    case get_tuple_element:
    case opt_barrier:
    case parameter:
    case while_: return true;
    default: return false;
  }
}

/// The part of a start's shape that its done has as its result; null for other operations, or if it is not written.
inline const shape* promised_shape(const hlo_instruction& done) {
  const hlo_instruction start = done.operand_count() > 0 ? done.operand(0) : hlo_instruction{};
  if (!start || !may_be_start(start)) return nullptr;
  switch (done.opcode()) {
    using enum hlo_opcode;
    case all_reduce_done: return operand_shape(done, 0);
    case copy_done: return element_of(operand_shape(done, 0), 0);
    case all_gather_done:
    case collective_permute_done:
    case async_done: return element_of(operand_shape(done, 0), 1);
    default: return nullptr;
  }
}

/// Whether a start has promised only the first elements of a result, whose others an update adds (hlo_text.md 8).
inline bool is_part_of(const shape& promised, const shape& result) {
  return promised.is_tuple() &&
         (promised.elements.empty() || (result.is_tuple() && promised.elements.size() < result.elements.size()));
}

/// The result of a done is the one of its start.
inline void check_async_result(const shape_case& c) {
  const shape* const promised = promised_shape(c.i);
  if (!promised || !c.result || !certainly_differ(*promised, *c.result) || is_part_of(*promised, *c.result)) return;
  // A generic start around an all-reduce is written like its own form.
  if (c.i.opcode() == hlo_opcode::all_reduce_done && promised->is_tuple() && !c.result->is_tuple()) return;
  c.fail_beside(c.i.operand(0), "the start", "this ", c.name(), " is ", *c.result, ", but its start gives ", *promised);
}

}  // namespace hlolint::module_rules
