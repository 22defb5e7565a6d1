// The rule that the end of an asynchronous operation gives what its start has promised (hlo_text.md 8.1).
#pragma once

#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/operands.hpp>
#include <hlolint/verify/shapes.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint::module_rules {

/// Element `k` of a tuple; null if there is none.
inline const shape* element_of(const shape* whole, std::size_t k) {
  return whole && whole->is_tuple() && k < whole->elements.size() ? &whole->elements[k] : nullptr;
}

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
inline void check_async_result(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const promised = promised_shape(i);
  if (!promised || !i.shape() || !certainly_differ(*promised, *i.shape()) || is_part_of(*promised, *i.shape())) return;
  // A generic start around an all-reduce is written like its own form.
  if (i.opcode() == hlo_opcode::all_reduce_done && promised->is_tuple() && !i.shape()->is_tuple()) return;
  out.add(place,
          str_cat({"this ", name_of(i.opcode()), " is ", to_string(*i.shape()), ", but its start gives ",
                   to_string(*promised)}),
          i.operand(0).where().at.begin, "the start");
}

}  // namespace hlolint::module_rules
