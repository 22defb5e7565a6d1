// The parts of its result that an instruction defines, rather than passes on (buffer_dumps.md 5.2).
#pragma once

#include <hlolint/analysis/program/module_tables.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/ir/module.hpp>

#include <cstddef>
#include <cstdint>

namespace hlolint {

/// Whether a collective-permute has the in-place form, with `slice_sizes`.
inline bool permutes_in_place(hlo_instruction i) {
  return i.attribute(attribute_key::slice_sizes).value_or("{}") != "{}";
}

namespace detail {

/// Whether collective-permute-start defines part n: the table, the contexts and parts below {1}.
inline bool permute_start_defines(const shape_places& places, hlo_instruction i, std::uint32_t n) {
  const shape_index index = places.index(i.id(), n);
  if (index.empty()) return true;
  if (index[0] != 1) return index[0] != 0 && index.size() == 1;
  std::size_t count = i.operand_count() > 1 ? i.operand_count() : 0;
  if (permutes_in_place(i)) count = count > 1 && i.operand(1) ? places.element_count(i.operand(1).id(), 0) : 0;
  return index.size() == 1 || (index.size() == 2 && index[1] < count);
}

}  // namespace detail

/// Whether an instruction defines a value at part n of its result, other than a phi value.
inline bool defines_part(const module_tables& tables, const xla_rules& rules, hlo_instruction i, std::uint32_t n) {
  const shape_places& places = tables.places;
  const id at = i.id();
  const auto element = [&](std::size_t k) { return n == places.element(at, 0, k); };
  switch (i.opcode()) {
    using enum hlo_opcode;
    case add_dependency:
    case all_reduce_done:
    case bitcast:
    case call:
    case conditional:
    case copy_done:
    case domain:
    case get_tuple_element:
    case opt_barrier:
    case while_: return false;
    case parameter: return tables.calls.callers(i.computation()).empty() || tables.is_embedded(i.computation());
    case copy:
    case tuple: return n == 0;
    case async_start:
    case async_update: {
      const bool own_context = i.opcode() == async_start || rules.async_update_owns_context;
      return places.is_tuple(at, n) || (own_context && n != 0 && places.first_step(at, n) > 1);
    }
    case async_done: return places.is_tuple(at, n);
    case copy_start: return n == 0 || element(0) || element(2);
    case all_gather_start: return places.is_tuple(at, n) || places.first_step(at, n) == 1;
    case all_gather_done:
    case collective_permute_done: return n == 0 && places.is_tuple(at, 0);
    case collective_permute_start: return detail::permute_start_defines(places, i, n);
    case recv_done: return n == 0 || element(1);
    case send: return n == 0 || element(1) || element(2);
    default: return true;
  }
}

}  // namespace hlolint
