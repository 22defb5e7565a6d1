// The shapes of operations that multiply and add up: dot and convolution, and of windows that go over an array
// (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/checked.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace hlolint::module_rules {

/// Dimensions of both operands that are paired have equal sizes. False after a finding.
inline bool check_pairs(const shape_case& c, const shape& lhs, const dimension_numbers& left, const shape& rhs,
                        const dimension_numbers& right, std::string_view kind) {
  if (left.size() != right.size())
    return c.fail("dot has as many ", kind, " dimensions of each operand, not ", left.size(), " and ", right.size());
  for (std::size_t k = 0; k < left.size(); ++k)
    if (size_of(lhs, left[k]) != size_of(rhs, right[k]))
      return c.fail(kind, " dimension ", left[k], " of ", lhs, " and ", right[k], " of ", rhs, " differ in size");
  return true;
}

/// The result has the batch dimensions and then all that are not contracted.
[[gnu::cold]] inline inferred infer_dot(const shape_case& c) {
  using enum attribute_key;
  const shape *const lhs = c.array(0), *const rhs = c.array(1);
  // A sparse operand has only a part of the elements, and scales are operands, too.
  if (!lhs || !rhs || c.i.operand_count() != 2) return {};
  const auto left = c.numbers(lhs_contracting_dims), right = c.numbers(rhs_contracting_dims),
             left_batch = c.numbers(lhs_batch_dims), right_batch = c.numbers(rhs_batch_dims);
  if (!left || !right || !left_batch || !right_batch) return {};
  std::uint64_t in_lhs = 0, in_rhs = 0;
  if (!add_dimensions(c, lhs_batch_dims, *left_batch, *lhs, in_lhs) ||
      !add_dimensions(c, rhs_batch_dims, *right_batch, *rhs, in_rhs) ||
      !add_dimensions(c, lhs_contracting_dims, *left, *lhs, in_lhs) ||
      !add_dimensions(c, rhs_contracting_dims, *right, *rhs, in_rhs) ||
      !check_pairs(c, *lhs, *left, *rhs, *right, "contracting") ||
      !check_pairs(c, *lhs, *left_batch, *rhs, *right_batch, "batch"))
    return {};
  dimension_numbers sizes;
  for (const std::int64_t d : *left_batch) sizes.push_back(size_of(*lhs, d));
  append_others(sizes, *lhs, in_lhs);
  append_others(sizes, *rhs, in_rhs);
  return {std::move(sizes), 2, nullptr, lhs->type == rhs->type ? lhs->type : element_type::unknown};
}

/// How many windows there are along a dimension of this size; nothing for a window that XLA does not accept.
inline std::optional<std::int64_t> window_count(std::int64_t size, const window_dimension& w) {
  if (w.size < 1 || w.stride < 1 || w.base_dilation < 1 || w.window_dilation < 1) return std::nullopt;
  const checked_int64 base = size == 0 ? checked_int64(0) : checked_int64(size - 1) * w.base_dilation + 1;
  const auto padded = (base + w.padding_low + w.padding_high).exact(),
             covered = (checked_int64(w.size - 1) * w.window_dilation + 1).exact();
  if (!padded || !covered) return std::nullopt;
  return *padded <= 0 || *covered > *padded ? 0 : (*padded - *covered) / w.stride + 1;
}

/// The sizes after a window goes over an array; nothing after a finding, or if they are not certain.
inline std::optional<dimension_numbers> windowed_sizes(const shape_case& c, const shape& own) {
  const auto w = windows_of(c.i);
  if (!w) return std::nullopt;
  if (w->size() != own.rank()) {
    c.out.add(c.i.has(attribute_key::window) ? c.at(attribute_key::window) : c.place, "the window has ",
              counted(w->size(), "dimension"), ", but goes over ", own);
    return std::nullopt;
  }
  dimension_numbers sizes;
  for (std::size_t d = 0; d < own.rank(); ++d) {
    const auto count = window_count(own.dimensions[d].size, (*w)[d]);
    if (!count) return std::nullopt;
    sizes.push_back(*count);
  }
  return sizes;
}

/// The labels name each dimension of an array once.
inline bool labels_fit(const convolution_dimension_numbers::part& labels, const shape& s) {
  return labels.first >= 0 && labels.second >= 0 && s.rank() == labels.spatial.size() + 2;
}

/// The window has the sizes of the kernel, the features of input and kernel fit, and the result is what remains.
[[gnu::cold]] inline inferred infer_convolution(const shape_case& c) {
  using enum attribute_key;
  const shape *const input = c.array(0), *const kernel = c.array(1);
  if (!input || !kernel || c.i.operand_count() != 2) return {};
  const auto text = c.i.attribute(dim_labels);
  const auto labels = get<convolution_dimension_numbers>(c.i);
  if (!labels || text->find('?') != text->npos) return {};
  if (!labels_fit(labels->input, *input) || !labels_fit(labels->kernel, *kernel) || !labels_fit(labels->output, *input))
    return c.fail_at(dim_labels, "these labels do not fit ", operands_text(c, 2));
  const auto w = windows_of(c.i);
  if (!w) return {};
  const std::size_t rank = labels->input.spatial.size();
  if (w->size() != rank) return c.fail("the window has ", counted(w->size(), "dimension"), ", but dim_labels ", rank);
  for (std::size_t d = 0; d < rank; ++d)
    if (size_of(*kernel, labels->kernel.spatial[d]) != (*w)[d].size)
      return c.fail("the window has size ", (*w)[d].size, " in spatial dimension ", d, ", but the kernel is ", *kernel);
  const auto count_of = [&](attribute_key key) { return c.i.has(key) ? get_integer(c.i, key) : 1; };
  const auto groups = count_of(feature_group_count), batches = count_of(batch_group_count);
  if (!groups || !batches || *groups < 1 || *batches < 1) return {};
  const std::int64_t features = size_of(*input, labels->input.second), batch = size_of(*input, labels->input.first),
                     taken = size_of(*kernel, labels->kernel.first), made = size_of(*kernel, labels->kernel.second);
  if (features % *groups != 0 || features / *groups != taken)
    return c.fail("convolution of ", operands_text(c, 2), " with feature_group_count=", *groups, ": the input has ",
                  features, " features, the kernel takes ", taken);
  if (made % *groups != 0 || made % *batches != 0 || batch % *batches != 0)
    return c.fail("convolution of ", operands_text(c, 2), ": its groups do not divide the batch of the input, ", batch,
                  ", and the features of the result, ", made);
  const auto& to = labels->output;
  dimension_numbers sizes = sizes_of(*input);
  sizes[static_cast<std::size_t>(to.first)] = batch / *batches;
  sizes[static_cast<std::size_t>(to.second)] = made;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto count = window_count(size_of(*input, labels->input.spatial[d]), (*w)[d]);
    if (!count) return {};
    sizes[static_cast<std::size_t>(to.spatial[d])] = *count;
  }
  return {std::move(sizes), 2, nullptr, input->type == kernel->type ? input->type : element_type::unknown};
}

}  // namespace hlolint::module_rules
