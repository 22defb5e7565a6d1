// The rules about the numbers and the declared shapes of operands (hlo_text.md 4, 8). Shapes that the text does not
// declare are not inferred and not checked.
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/opcode_rules.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/findings.hpp>
#include <hlolint/verify/plain.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hlolint::module_rules {

/// The shape of an operand as the operand's own line declares it; null if there is no such operand or shape.
inline const shape* operand_shape(const hlo_instruction& i, std::size_t k) {
  const hlo_instruction o = k < i.operand_count() ? i.operand(k) : hlo_instruction{};
  return o ? o.shape() : nullptr;
}

/// Where an attribute stands.
inline std::uint32_t place_of(const hlo_instruction& i, attribute_key key) {
  return i.attribute_location(key).at.begin;
}

/// The opcode fixes or bounds the number of operands.
inline void check_operand_count(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const plain_opcode& rule = plain_opcodes[static_cast<std::size_t>(i.opcode())];
  const std::size_t have = i.operand_count();
  const auto takes = [&](std::string_view what) { out.add(place, i.opcode(), " takes ", what, ", but has ", have); };
  if (rule.most == rule.least) {
    if (have != rule.least) takes(counted(rule.least, "operand"));
  } else if (rule.even && have % 2) {
    takes("an even number of operands");
  } else if (rule.odd && have % 2 == 0) {
    takes("an odd number of operands");
  } else if (have < rule.least && i.opcode() != hlo_opcode::reduce) {
    takes("at least " + counted(rule.least, "operand"));
  }
}

/// A shape written before an operand fits the operand's own shape.
inline void check_declared_shapes(const hlo_instruction& i, findings& out) {
  for (std::size_t k = 0; k != i.operand_count(); ++k) {
    const shape* const declared = i.operand_shape(k);
    const shape* const own = declared ? operand_shape(i, k) : nullptr;
    if (own && own != declared && !compatible(*declared, *own))
      out.add_beside(i.operand_location(k).at.begin, i.operand(k).where().at.begin, "the operand",
                     "the shape written before the operand differs from the operand's own");
  }
}

/// A conditional takes a selector and one operand per branch. The type of the selector decides which attributes name
/// the branches.
[[gnu::cold]] inline void check_conditional(const hlo_instruction& i, std::uint32_t place, findings& out) {
  using enum attribute_key;
  if (i.operand_count() == 0) return;
  const bool on_true = i.has(true_computation), on_false = i.has(false_computation),
             listed = i.has(branch_computations);
  if (const shape* const selector = operand_shape(i, 0)) {
    const bool is_pred = selector->type == element_type::pred, is_index = selector->type == element_type::s32;
    if (selector->rank() > 0 || (!is_pred && !is_index))
      return out.add(place, "the selector of a conditional is a scalar of pred or s32");
    // The place is an attribute that does not fit the selector; a missing one has no place.
    const bool foreign = is_pred ? listed : on_true || on_false;
    const attribute_key at = is_pred ? branch_computations : on_true ? true_computation : false_computation;
    const std::uint32_t where = foreign ? place_of(i, at) : place;
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
    out.add(place, "a conditional takes its selector and one operand per branch, ", counted(branches + 1, "operand"),
            ", but has ", i.operand_count());
}

/// The number of elements; nothing if a dimension is unbounded or the product is too large.
inline std::optional<std::int64_t> element_count(const shape& s) {
  return checked_product(s.dimensions, [](const dimension& d) { return d.size; });
}

[[gnu::cold]] inline void check_reshape(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const to = i.shape(), *const from = operand_shape(i, 0);
  if (to && from) {
    const auto a = element_count(*to), b = element_count(*from);
    if (!to->is_array() || !from->is_array() || (a && b && *a != *b))
      out.add(place, "a reshape keeps the number of elements, but result and operand differ");
  }
  if (to && i.opcode() == hlo_opcode::dynamic_reshape && i.operand_count() != 1 + to->rank())
    out.add(place, "dynamic-reshape takes one size per result dimension, ", counted(to->rank(), "size"), ", but has ",
            i.operand_count() ? i.operand_count() - 1 : 0);
}

/// Operands from number `first` on are start indices: one per dimension, or one vector.
[[gnu::cold]] inline void check_start_indices(const hlo_instruction& i, std::size_t first, std::uint32_t place,
                                              findings& out) {
  const shape* const sliced = operand_shape(i, 0);
  if (i.operand_count() < first || !sliced) return;
  if (i.operand_count() == first + 1) {
    const shape* const vector = operand_shape(i, first);
    if (!vector || vector->rank() == 1) return;
  }
  if (i.operand_count() != first + sliced->rank())
    out.add(place, i.opcode(), " takes one start index per dimension, ", counted(sliced->rank(), "index"), ", but has ",
            i.operand_count() - first);
}

inline void check_tuple(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const s = i.shape();
  if (s && s->elements.size() != i.operand_count())
    out.add(place, "a tuple of ", counted(s->elements.size(), "element"), " has ",
            counted(i.operand_count(), "operand"));
}

/// The result is a tuple; the tuple of recv has elements.
inline void check_tuple_result(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape* const s = i.shape();
  if (s && (!s->is_tuple() || (s->elements.empty() && i.opcode() == hlo_opcode::recv)))
    out.add(place, i.opcode(), " has a tuple as its result");
}

}  // namespace hlolint::module_rules
