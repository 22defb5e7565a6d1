// The shapes of gather and scatter (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/arrangement.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace hlolint::module_rules {

/// The dimensions of the start indices of a gather or a scatter: along one of them stand the numbers of an index.
struct index_dimensions {
  dimension_numbers sizes;      ///< of all others
  std::int64_t components = 1;  ///< how many numbers an index has
};
/// Nothing after a finding, or if they are not certain.
[[gnu::cold]] inline std::optional<index_dimensions> index_dimensions_of(const shape_case& c, const shape& indices) {
  const auto vector = get_integer(c.i, attribute_key::index_vector_dim);
  if (!vector) return std::nullopt;
  if (indices.type != element_type::unknown && !is_integer(indices.type))
    return c.fail("the indices of ", c.name(), " are integers, not ", indices), std::nullopt;
  if (*vector < 0 || static_cast<std::size_t>(*vector) > indices.rank())
    return c.fail_at(attribute_key::index_vector_dim, "there is no dimension ", *vector, " in ", indices), std::nullopt;
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
inline bool check_components(const shape_case& c, attribute_key key, const dimension_numbers& numbers, const shape& own,
                             const index_dimensions& indices) {
  std::uint64_t set = 0;
  if (!add_dimensions(c, key, numbers, own, set)) return false;
  return static_cast<std::int64_t>(numbers.size()) == indices.components ||
         c.fail_at(key, key, " has ", counted(numbers.size(), "dimension"), ", but an index has ",
                   counted(static_cast<std::size_t>(indices.components), "number"));
}

/// The dimensions of an array of this rank that an attribute names, in ascending order; nothing after a finding.
inline std::optional<std::uint64_t> ascending_dimensions(const shape_case& c, attribute_key key,
                                                         const dimension_numbers& numbers, std::size_t rank) {
  std::uint64_t set = 0;
  std::int64_t last = -1;
  for (const std::int64_t d : numbers) {
    if (d <= last || static_cast<std::size_t>(d) >= rank)
      return c.fail_at(key, key, " are dimensions below ", rank, " in ascending order"), std::nullopt;
    set |= std::uint64_t{1} << d;
    last = d;
  }
  return set;
}

/// The result has the dimensions of the indices, and among them those of the slices that are not collapsed.
[[gnu::cold]] inline inferred infer_gather(const shape_case& c) {
  using enum attribute_key;
  const shape *const own = c.array(0), *const indices = c.array(1);
  if (!own || !indices) return {};
  const auto sizes = c.numbers(slice_sizes), offsets = c.numbers(offset_dims),
             collapsed = c.numbers(collapsed_slice_dims), to = c.numbers(start_index_map),
             batching = c.numbers(operand_batching_dims);
  const auto start = index_dimensions_of(c, *indices);
  if (!sizes || !offsets || !collapsed || !to || !batching || !start ||
      !check_components(c, start_index_map, *to, *own, *start))
    return {};
  if (!slices_fit(*sizes, *own)) return c.fail_at(slice_sizes, "slices of these sizes do not fit in ", *own);
  std::uint64_t gone = 0;
  if (!add_dimensions(c, collapsed_slice_dims, *collapsed, *own, gone) ||
      !add_dimensions(c, operand_batching_dims, *batching, *own, gone))
    return {};
  for (std::size_t d = 0; d < own->rank(); ++d)
    if ((gone >> d & 1) && (*sizes)[d] > 1)
      return c.fail_at(slice_sizes, "dimension ", d, " of a slice is collapsed, but its size is ", (*sizes)[d]);
  const std::size_t rank = start->sizes.size() + offsets->size();
  const auto offset_set = rank > 64 ? std::nullopt : ascending_dimensions(c, offset_dims, *offsets, rank);
  if (!offset_set) return {};
  if (offsets->size() + collapsed->size() + batching->size() != own->rank())
    return c.fail_at(offset_dims, "offset_dims has ", counted(offsets->size(), "dimension"), ", but ",
                     own->rank() - collapsed->size() - batching->size(), " of a slice are not collapsed");
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
  return {std::move(expected), 2, own};
}

/// The updates have the dimensions of the indices, and among them those of windows that fit in the operands, whose
/// shapes the result has.
[[gnu::cold]] inline void check_scatter(const shape_case& c) {
  using enum attribute_key;
  const std::size_t arrays = c.i.operand_count() / 2;
  const shape *const own = c.array(0), *const indices = c.array(arrays), *const updates = c.array(arrays + 1);
  if (!own || !indices || !updates || c.i.operand_count() % 2 == 0) return;
  const auto windows = c.numbers(update_window_dims), inserted = c.numbers(inserted_window_dims),
             to = c.numbers(scatter_dims_to_operand_dims), batching = c.numbers(input_batching_dims);
  const auto start = index_dimensions_of(c, *indices);
  if (!windows || !inserted || !to || !batching || !start ||
      !check_components(c, scatter_dims_to_operand_dims, *to, *own, *start))
    return;
  std::uint64_t gone = 0;
  if (!add_dimensions(c, inserted_window_dims, *inserted, *own, gone) ||
      !add_dimensions(c, input_batching_dims, *batching, *own, gone))
    return;
  const auto window_set = ascending_dimensions(c, update_window_dims, *windows, updates->rank());
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
    return void(c.fail("updates of ", *updates, " do not fit indices of ", *indices, " and windows in ", *own));
  if (!c.result || (arrays > 1 && !c.result->is_tuple())) return;
  for (std::size_t k = 0; k < arrays; ++k) {
    const shape *const operand = c.operand(k), *const update = c.operand(arrays + 1 + k);
    const shape* const part = arrays == 1 ? c.result : element_of(c.result, k);
    if (operand && part && !check_same(c, *operand, *part)) return;
    if (update && (dimensions_differ(*update, *updates) || (operand && certainly_differ(update->type, operand->type))))
      return void(c.fail("updates of ", *update, " do not fit the others, or operand ", k));
  }
}

}  // namespace hlolint::module_rules
