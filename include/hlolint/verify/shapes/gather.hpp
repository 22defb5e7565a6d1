// The shapes of gather and scatter (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace hlolint::module_rules {

/// The dimensions of the start indices of a gather or a scatter: along one of them stand the numbers of an index.
struct index_dimensions {
  dimension_numbers sizes;      ///< of all others
  std::int64_t components = 1;  ///< how many numbers an index has
};
/// Nothing after a finding, or if they are not certain.
[[gnu::cold]] inline std::optional<index_dimensions> index_dimensions_of(const hlo_instruction& i, const shape& indices,
                                                                         std::uint32_t place, findings& out) {
  const auto vector = get_integer(i, attribute_key::index_vector_dim);
  if (!vector) return std::nullopt;
  if (indices.type != element_type::unknown && !is_integer(indices.type)) {
    out.add(place, str_cat({"the indices of ", name_of(i.opcode()), " are integers, not ", to_string(indices)}));
    return std::nullopt;
  }
  if (*vector < 0 || static_cast<std::size_t>(*vector) > indices.rank()) {
    out.add(i.attribute_location(attribute_key::index_vector_dim).at.begin,
            str_cat({"there is no dimension ", *vector, " in ", to_string(indices)}));
    return std::nullopt;
  }
  index_dimensions result;
  for (std::size_t d = 0; d < indices.rank(); ++d) {
    if (d == static_cast<std::size_t>(*vector))
      result.components = indices.dimensions[d].size;
    else
      result.sizes.push_back(indices.dimensions[d].size);
  }
  return result;
}

/// The numbers of an index belong to as many dimensions of the operand. False after a finding.
inline bool check_components(const hlo_instruction& i, attribute_key key, const dimension_numbers& numbers,
                             const shape& own, const index_dimensions& indices, findings& out) {
  std::uint64_t set = 0;
  if (!add_dimensions(i, key, numbers, own, set, out)) return false;
  if (static_cast<std::int64_t>(numbers.size()) == indices.components) return true;
  out.add(i.attribute_location(key).at.begin,
          str_cat({name_of(key), " has ", counted(numbers.size(), "dimension"), ", but an index has ",
                   counted(static_cast<std::size_t>(indices.components), "number")}));
  return false;
}

/// The dimensions of an array of this rank that an attribute names, in ascending order; nothing after a finding.
inline std::optional<std::uint64_t> ascending_dimensions(const hlo_instruction& i, attribute_key key,
                                                         const dimension_numbers& numbers, std::size_t rank,
                                                         findings& out) {
  std::uint64_t set = 0;
  std::int64_t last = -1;
  for (const std::int64_t d : numbers) {
    if (d <= last || static_cast<std::size_t>(d) >= rank) {
      out.add(i.attribute_location(key).at.begin,
              str_cat({name_of(key), " are dimensions below ", rank, " in ascending order"}));
      return std::nullopt;
    }
    set |= std::uint64_t{1} << d;
    last = d;
  }
  return set;
}

/// The result has the dimensions of the indices, and among them those of the slices that are not collapsed.
[[gnu::cold]] inline void check_gather(const hlo_instruction& i, std::uint32_t place, findings& out) {
  using enum attribute_key;
  const shape *const own = known_operand(i, 0), *const indices = known_operand(i, 1);
  if (!own || !indices) return;
  const auto sizes = numbers_of(i, slice_sizes), offsets = numbers_of(i, offset_dims),
             collapsed = numbers_of(i, collapsed_slice_dims), to = numbers_of(i, start_index_map),
             batching = numbers_of(i, operand_batching_dims);
  const auto start = index_dimensions_of(i, *indices, place, out);
  if (!sizes || !offsets || !collapsed || !to || !batching || !start ||
      !check_components(i, start_index_map, *to, *own, *start, out))
    return;
  bool fits = sizes->size() == own->rank();
  for (std::size_t d = 0; fits && d < own->rank(); ++d)
    fits = (*sizes)[d] >= 0 && (*sizes)[d] <= own->dimensions[d].size;
  if (!fits)
    return out.add(i.attribute_location(slice_sizes).at.begin,
                   str_cat({"slices of these sizes do not fit in ", to_string(*own)}));
  std::uint64_t gone = 0;
  if (!add_dimensions(i, collapsed_slice_dims, *collapsed, *own, gone, out) ||
      !add_dimensions(i, operand_batching_dims, *batching, *own, gone, out))
    return;
  for (std::size_t d = 0; d < own->rank(); ++d)
    if ((gone >> d & 1) && (*sizes)[d] > 1)
      return out.add(i.attribute_location(slice_sizes).at.begin,
                     str_cat({"dimension ", d, " of a slice is collapsed, but its size is ", (*sizes)[d]}));
  const std::size_t rank = start->sizes.size() + offsets->size();
  if (rank > 64) return;
  const auto offset_set = ascending_dimensions(i, offset_dims, *offsets, rank, out);
  if (!offset_set) return;
  if (offsets->size() + collapsed->size() + batching->size() != own->rank())
    return out.add(i.attribute_location(offset_dims).at.begin,
                   str_cat({"offset_dims has ", counted(offsets->size(), "dimension"), ", but ",
                            own->rank() - collapsed->size() - batching->size(), " of a slice are not collapsed"}));
  if (!check_type_kept(i, *own, place, out)) return;
  dimension_numbers expected;
  std::size_t of_slice = 0, of_index = 0;
  for (std::size_t d = 0; d < rank; ++d) {
    if (!(*offset_set >> d & 1)) {
      expected.push_back(start->sizes[of_index++]);
      continue;
    }
    while (gone >> of_slice & 1) ++of_slice;
    expected.push_back((*sizes)[of_slice++]);
  }
  check_result(i, 2, expected, place, out);
}

/// The updates have the dimensions of the indices, and among them those of windows that fit in the operands, whose
/// shapes the result has.
[[gnu::cold]] inline void check_scatter(const hlo_instruction& i, std::uint32_t place, findings& out) {
  using enum attribute_key;
  const std::size_t arrays = i.operand_count() / 2;
  const shape *const own = known_operand(i, 0), *const indices = known_operand(i, arrays),
                     *const updates = known_operand(i, arrays + 1), *const result = i.shape();
  if (!own || !indices || !updates || i.operand_count() % 2 == 0) return;
  const auto windows = numbers_of(i, update_window_dims), inserted = numbers_of(i, inserted_window_dims),
             to = numbers_of(i, scatter_dims_to_operand_dims), batching = numbers_of(i, input_batching_dims);
  const auto start = index_dimensions_of(i, *indices, place, out);
  if (!windows || !inserted || !to || !batching || !start ||
      !check_components(i, scatter_dims_to_operand_dims, *to, *own, *start, out))
    return;
  std::uint64_t gone = 0;
  if (!add_dimensions(i, inserted_window_dims, *inserted, *own, gone, out) ||
      !add_dimensions(i, input_batching_dims, *batching, *own, gone, out))
    return;
  const auto window_set = ascending_dimensions(i, update_window_dims, *windows, updates->rank(), out);
  if (!window_set) return;
  bool fits = updates->rank() == windows->size() + start->sizes.size() &&
              windows->size() + inserted->size() + batching->size() == own->rank();
  std::size_t of_window = 0, of_index = 0;
  for (std::size_t d = 0; fits && d < updates->rank(); ++d) {
    if (!(*window_set >> d & 1)) {
      fits = updates->dimensions[d].size == start->sizes[of_index++];
      continue;
    }
    while (gone >> of_window & 1) ++of_window;
    fits = updates->dimensions[d].size <= own->dimensions[of_window++].size;
  }
  if (!fits)
    return out.add(place, str_cat({"updates of ", to_string(*updates), " do not fit indices of ", to_string(*indices),
                                   " and windows in ", to_string(*own)}));
  if (!result || (arrays > 1 && !result->is_tuple())) return;
  for (std::size_t k = 0; k < arrays; ++k) {
    const shape *const operand = operand_shape(i, k), *const update = operand_shape(i, arrays + 1 + k);
    const shape* const part = arrays == 1 ? result : k < result->elements.size() ? &result->elements[k] : nullptr;
    if (operand && part && !check_same(i, *operand, *part, place, out)) return;
    if (update && (dimensions_differ(*update, *updates) || (operand && certainly_differ(update->type, operand->type))))
      return out.add(place, str_cat({"updates of ", to_string(*update), " do not fit the others, or operand ", k}));
  }
}

}  // namespace hlolint::module_rules
