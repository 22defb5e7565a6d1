// The shapes of operations that multiply and add up: dot and convolution, and of windows that go over an array
// (hlo_text.md 8.1).
#pragma once

#include <hlolint/text/checked.hpp>
#include <hlolint/text/number_text.hpp>
#include <hlolint/verify/shapes/compare.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hlolint::module_rules {

/// Dimensions of both operands that are paired have equal sizes. False after a finding.
inline bool check_pairs(const shape& lhs, const dimension_numbers& left, const shape& rhs,
                        const dimension_numbers& right, std::string_view kind, std::uint32_t place, findings& out) {
  if (left.size() != right.size()) {
    out.add(place, str_cat({"dot has as many ", kind, " dimensions of each operand, not ", left.size(), " and ",
                            right.size()}));
    return false;
  }
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (size_of(lhs, left[k]) == size_of(rhs, right[k])) continue;
    out.add(place, str_cat({kind, " dimension ", left[k], " of ", to_string(lhs), " and ", right[k], " of ",
                            to_string(rhs), " differ in size"}));
    return false;
  }
  return true;
}

/// The result has the batch dimensions and then all that are not contracted.
[[gnu::cold]] inline void check_dot(const hlo_instruction& i, std::uint32_t place, findings& out) {
  using enum attribute_key;
  const shape *const lhs = known_operand(i, 0), *const rhs = known_operand(i, 1);
  // A sparse operand has only a part of the elements, and scales are operands, too.
  if (!lhs || !rhs || i.operand_count() != 2) return;
  const auto left = numbers_of(i, lhs_contracting_dims), right = numbers_of(i, rhs_contracting_dims),
             left_batch = numbers_of(i, lhs_batch_dims), right_batch = numbers_of(i, rhs_batch_dims);
  if (!left || !right || !left_batch || !right_batch) return;
  std::uint64_t in_lhs = 0, in_rhs = 0;
  if (!add_dimensions(i, lhs_batch_dims, *left_batch, *lhs, in_lhs, out) ||
      !add_dimensions(i, rhs_batch_dims, *right_batch, *rhs, in_rhs, out) ||
      !add_dimensions(i, lhs_contracting_dims, *left, *lhs, in_lhs, out) ||
      !add_dimensions(i, rhs_contracting_dims, *right, *rhs, in_rhs, out) ||
      !check_pairs(*lhs, *left, *rhs, *right, "contracting", place, out) ||
      !check_pairs(*lhs, *left_batch, *rhs, *right_batch, "batch", place, out))
    return;
  dimension_numbers sizes;
  for (const std::int64_t d : *left_batch) sizes.push_back(size_of(*lhs, d));
  for (std::size_t d = 0; d < lhs->rank(); ++d)
    if (!(in_lhs >> d & 1)) sizes.push_back(lhs->dimensions[d].size);
  for (std::size_t d = 0; d < rhs->rank(); ++d)
    if (!(in_rhs >> d & 1)) sizes.push_back(rhs->dimensions[d].size);
  check_result(i, 2, sizes, place, out);
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
inline std::optional<dimension_numbers> windowed_sizes(const hlo_instruction& i, const shape& own, std::uint32_t place,
                                                       findings& out) {
  const auto w = windows_of(i);
  if (!w) return std::nullopt;
  if (w->size() != own.rank()) {
    out.add(i.has(attribute_key::window) ? i.attribute_location(attribute_key::window).at.begin : place,
            str_cat({"the window has ", counted(w->size(), "dimension"), ", but goes over ", to_string(own)}));
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
[[gnu::cold]] inline void check_convolution(const hlo_instruction& i, std::uint32_t place, findings& out) {
  const shape *const input = known_operand(i, 0), *const kernel = known_operand(i, 1);
  if (!input || !kernel || i.operand_count() != 2) return;
  const auto text = i.attribute(attribute_key::dim_labels);
  const auto labels = get<convolution_dimension_numbers>(i);
  if (!labels || text->find('?') != text->npos) return;
  if (!labels_fit(labels->input, *input) || !labels_fit(labels->kernel, *kernel) || !labels_fit(labels->output, *input))
    return out.add(i.attribute_location(attribute_key::dim_labels).at.begin,
                   str_cat({"these labels do not fit ", operands_text(i, 2)}));
  const auto w = windows_of(i);
  if (!w) return;
  const std::size_t rank = labels->input.spatial.size();
  if (w->size() != rank)
    return out.add(place, str_cat({"the window has ", counted(w->size(), "dimension"), ", but dim_labels ", rank}));
  for (std::size_t d = 0; d < rank; ++d)
    if (size_of(*kernel, labels->kernel.spatial[d]) != (*w)[d].size)
      return out.add(place, str_cat({"the window has size ", (*w)[d].size, " in spatial dimension ", d,
                                     ", but the kernel is ", to_string(*kernel)}));
  const auto groups =
                 i.has(attribute_key::feature_group_count) ? get_integer(i, attribute_key::feature_group_count) : 1,
             batches = i.has(attribute_key::batch_group_count) ? get_integer(i, attribute_key::batch_group_count) : 1;
  if (!groups || !batches || *groups < 1 || *batches < 1) return;
  const std::int64_t features = size_of(*input, labels->input.second), batch = size_of(*input, labels->input.first),
                     taken = size_of(*kernel, labels->kernel.first), made = size_of(*kernel, labels->kernel.second);
  if (features % *groups != 0 || features / *groups != taken)
    return out.add(place, str_cat({"convolution of ", operands_text(i, 2), " with feature_group_count=", *groups,
                                   ": the input has ", features, " features, the kernel takes ", taken}));
  if (made % *groups != 0 || made % *batches != 0 || batch % *batches != 0)
    return out.add(
        place, str_cat({"convolution of ", operands_text(i, 2), ": its groups do not divide the batch of the input, ",
                        batch, ", and the features of the result, ", made}));
  const auto& to = labels->output;
  dimension_numbers sizes;
  for (std::size_t d = 0; d < input->rank(); ++d) sizes.push_back(0);
  sizes[static_cast<std::size_t>(to.first)] = batch / *batches;
  sizes[static_cast<std::size_t>(to.second)] = made;
  for (std::size_t d = 0; d < rank; ++d) {
    const auto count = window_count(size_of(*input, labels->input.spatial[d]), (*w)[d]);
    if (!count) return;
    sizes[static_cast<std::size_t>(to.spatial[d])] = *count;
  }
  check_result(i, 2, sizes, place, out);
}

}  // namespace hlolint::module_rules
