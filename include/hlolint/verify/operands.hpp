// How many operands an instruction takes, and what their declared shapes must be (hlo_text.md 4, 8). What the text does
// not declare is not inferred and not judged.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace hlolint::module_rules {

/// The shape of an operand, as its own line declares it; null if there is no such operand or shape.
inline const shape* operand_shape(const hlo_instruction& i, std::size_t k) {
  const hlo_instruction o = k < i.operand_count() ? i.operand(k) : hlo_instruction{};
  return o ? o.shape() : nullptr;
}

/// The number of operands that the opcode fixes or bounds.
template <class Findings>
void check_operand_count(const hlo_instruction& i, std::uint32_t place, Findings& out) {
  const std::size_t have = i.operand_count();
  const auto opcode = i.opcode();
  const std::string_view name = name_of(opcode);
  if (opcode == hlo_opcode::parameter || opcode == hlo_opcode::constant) return;
  const auto want = grammar::arity(opcode);
  if (want && opcode != hlo_opcode::ragged_all_to_all && have != *want)
    return out.add(place, str_cat({name, " takes ", counted(*want, "operand"), ", but has ", have}));
  const auto at_least = [&](std::size_t n) {
    if (have < n) out.add(place, str_cat({name, " takes at least ", counted(n, "operand"), ", but has ", have}));
  };
  switch (opcode) {
    using enum hlo_opcode;
    case reduce:
    case reduce_window:
      if (have % 2)
        out.add(place, str_cat({name, " takes an even number of operands, but has ", have}));
      else if (opcode == reduce_window)
        at_least(2);
      break;
    case scatter:
      if (have % 2 == 0) out.add(place, str_cat({"scatter takes an odd number of operands, but has ", have}));
      break;
    case convolution:
    case dynamic_update_slice: at_least(2); break;
    case dynamic_slice:
    case dynamic_reshape:
    case conditional:
    case async_update:
    case async_done: at_least(1); break;
    default: break;
  }
}

/// A shape written before an operand must fit the operand's own.
template <class Findings>
void check_declared_shapes(const hlo_instruction& i, Findings& out) {
  for (std::size_t k = 0; k != i.operand_count(); ++k) {
    const shape* const declared = i.operand_shape(k);
    const shape* const own = declared ? operand_shape(i, k) : nullptr;
    if (own && own != declared && !compatible(*declared, *own))
      out.add(i.operand_location(k).at.begin, "the shape written before the operand differs from the operand's own",
              i.operand(k).where().at.begin, "the operand");
  }
}

/// A selector, then one operand per branch; which attributes name the branches follows from the selector's type.
template <class Findings>
[[gnu::cold]] void check_conditional(const hlo_instruction& i, std::uint32_t place, Findings& out) {
  using enum attribute_key;
  if (i.operand_count() == 0) return;
  const bool on_true = i.has(true_computation), on_false = i.has(false_computation),
             listed = i.has(branch_computations);
  if (const shape* const selector = operand_shape(i, 0)) {
    const bool is_pred = selector->type == element_type::pred, is_index = selector->type == element_type::s32;
    if (selector->rank() > 0 || (!is_pred && !is_index))
      return out.add(place, "the selector of a conditional is a scalar of pred or s32");
    // An attribute that does not fit is the place; one that is missing has none.
    const bool foreign = is_pred ? listed : on_true || on_false;
    const attribute_key at = is_pred ? branch_computations : on_true ? true_computation : false_computation;
    const std::uint32_t where = foreign ? i.attribute_location(at).at.begin : place;
    if (is_pred && (foreign || !on_true || !on_false))
      return out.add(where, "a conditional with a pred selector needs true_computation and false_computation");
    if (is_index && (foreign || !listed))
      return out.add(where, "a conditional with an s32 selector needs branch_computations");
  }
  for (const attribute_key key : {true_computation, false_computation, branch_computations})
    if (!is_readable(i, key)) return;
  const std::size_t alone = std::size_t{on_true} + std::size_t{on_false};
  const std::size_t branches = listed ? i.called_computation_count() - alone : alone != 0 ? 2 : 0;
  if (branches == 0) return out.add(place, "a conditional needs its branch computations");
  if (i.operand_count() != branches + 1)
    out.add(place, str_cat({"a conditional takes its selector and one operand per branch, ",
                            counted(branches + 1, "operand"), ", but has ", i.operand_count()}));
}

/// Number of elements; nothing if a dimension is unbounded or the product too large.
inline optional<std::int64_t> element_count(const shape& s) {
  std::int64_t n = 1;
  for (const dimension& d : s.dimensions) {
    if (d.size == dimension::unbounded) return std::nullopt;
    const auto product = checked_multiply(n, d.size);
    if (!product) return std::nullopt;
    n = *product;
  }
  return n;
}

template <class Findings>
[[gnu::cold]] void check_reshape(const hlo_instruction& i, std::uint32_t place, Findings& out) {
  const shape *const to = i.shape(), *const from = operand_shape(i, 0);
  if (to && from) {
    const auto a = element_count(*to), b = element_count(*from);
    if (!to->is_array() || !from->is_array() || (a && b && *a != *b))
      out.add(place, "a reshape keeps the number of elements, but result and operand differ");
  }
  if (to && i.opcode() == hlo_opcode::dynamic_reshape && i.operand_count() != 1 + to->rank())
    out.add(place, str_cat({"dynamic-reshape takes one size per result dimension, ", counted(to->rank(), "size"),
                            ", but has ", i.operand_count() ? i.operand_count() - 1 : 0}));
}

/// Start indices from operand `first` on: one per dimension, or a vector of them.
template <class Findings>
[[gnu::cold]] void check_start_indices(const hlo_instruction& i, std::size_t first, std::uint32_t place,
                                       Findings& out) {
  const shape* const sliced = operand_shape(i, 0);
  if (i.operand_count() < first || !sliced) return;
  if (i.operand_count() == first + 1) {
    const shape* const vector = operand_shape(i, first);
    if (!vector || vector->rank() == 1) return;
  }
  if (i.operand_count() != first + sliced->rank())
    out.add(place, str_cat({name_of(i.opcode()), " takes one start index per dimension, ",
                            counted(sliced->rank(), "index"), ", but has ", i.operand_count() - first}));
}

template <class Findings>
void check_tuple(const hlo_instruction& i, std::uint32_t place, Findings& out) {
  const shape* const s = i.shape();
  if (s && s->elements.size() != i.operand_count())
    out.add(place, str_cat({"a tuple of ", counted(s->elements.size(), "element"), " has ",
                            counted(i.operand_count(), "operand")}));
}

/// Opcodes whose result is a tuple; that of recv has elements.
template <class Findings>
void check_tuple_result(const hlo_instruction& i, std::uint32_t place, Findings& out) {
  const shape* const s = i.shape();
  if (s && (!s->is_tuple() || (s->elements.empty() && i.opcode() == hlo_opcode::recv)))
    out.add(place, str_cat({name_of(i.opcode()), " has a tuple as its result"}));
}

}  // namespace hlolint::module_rules
