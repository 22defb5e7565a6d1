// Operations of matrix products and convolutions (time_model.md 4.2, HloCostAnalysis).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/time/amount_of_work.hpp>
#include <hlolint/analysis/time/vector_work.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/element_type.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/operation_values.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

namespace detail {

/// The product of some dimensions of an array; dimensions that it lacks do not count.
inline double extent_of(const shape& array, const std::vector<std::int64_t>& dimensions) {
  double product = 1;
  for (const std::int64_t d : dimensions)
    if (d >= 0 && static_cast<std::size_t>(d) < array.rank())
      product *= static_cast<double>(std::max<std::int64_t>(array.dimensions[static_cast<std::size_t>(d)].size, 0));
  return product;
}

/// The multiplied type: the wider of the two operands' types, each taken from before conversions and moves that are
/// free in front of a matrix unit, if it is narrower there.
inline std::optional<element_type> multiplied_type(hlo_instruction i) {
  constexpr int far_enough = 16;
  std::optional<element_type> widest;
  for (std::size_t k = 0; k < 2 && k < i.operand_count(); ++k) {
    const shape* const own = shape_of_operand(i, k);
    if (!own || !own->is_array()) continue;
    element_type type = own->type;
    int steps = 0;
    const hlo_instruction from = follow_first_operands(i.operand(k), [&](hlo_instruction at) {
      using enum hlo_opcode;
      const hlo_opcode op = at.opcode();
      return steps++ < far_enough && (op == bitcast || op == reshape || op == copy || op == convert);
    });
    if (from && from.shape() && from.shape()->is_array() && bit_width(from.shape()->type) <= bit_width(type))
      type = from.shape()->type;
    if (!widest || bit_width(type) > bit_width(*widest)) widest = type;
  }
  return widest;
}

/// The factor by which a systolic array does more work: K and N fill whole arrays, M covers at least the loading of
/// one.
inline double tile_factor(const device& d, double m, double n, double k) {
  if (d.matrix_unit <= 0) return 1;
  return std::max(m, 64.0) / std::max(m, 1.0) * filling(n, d.matrix_unit) * filling(k, d.matrix_unit);
}

/// The same where the rows of the result lie along the lanes, so that they are what is loaded into the array: `lanes`
/// fill whole arrays, N and K only whole registers.
inline double turned_tile_factor(const device& d, double lanes, double n, double k) {
  constexpr std::int64_t sublanes = 8;
  if (d.matrix_unit <= 0) return 1;
  return filling(lanes, d.matrix_unit) * filling(n, sublanes) * filling(k, sublanes);
}

/// How often a TPU multiplies bf16 for a product of f32: `operand_precision` high 3 times, highest 6 times.
inline double precision_passes(const device& d, hlo_instruction i) {
  if (d.matrix_unit <= 0) return 1;
  const std::string_view text = i.attribute(attribute_key::operand_precision).value_or(std::string_view{});
  if (text.find("highest") != text.npos) return 6;
  return text.find("high") != text.npos ? 3 : 1;
}

/// The number of output positions o in [0, outputs) for which stride * o + shift is an input element: a multiple of
/// `dilation` below dilation * inputs.
inline std::int64_t hit_positions(std::int64_t outputs, std::int64_t inputs, std::int64_t stride, std::int64_t dilation,
                                  std::int64_t shift) {
  const auto floor_div = [](std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
  const auto end = checked_multiply(dilation, inputs);
  const auto room = end ? checked_add(*end, -1) : std::nullopt;
  const auto upper =
      room && shift != std::numeric_limits<std::int64_t>::min() ? checked_add(*room, -shift) : std::nullopt;
  if (!upper || outputs <= 0 || inputs <= 0) return 0;
  const std::int64_t first = std::max<std::int64_t>(0, -floor_div(shift, stride));  // stride * o >= -shift
  const std::int64_t last = std::min(outputs - 1, floor_div(*upper, stride));
  if (last < first) return 0;
  const std::int64_t common = std::gcd(stride, dilation), period = dilation / common;
  if (shift % common != 0) return 0;
  if (period == 1) return last - first + 1;
  // The positions repeat with the period; the search stops after 4096.
  for (std::int64_t o = first, looked_at = 0; o <= last && looked_at < std::min<std::int64_t>(period, 4096);
       ++o, ++looked_at) {
    const auto reached = checked_multiply(stride, o);
    const auto position = reached ? checked_add(*reached, shift) : std::nullopt;
    if (position && *position % dilation == 0) return (last - o) / period + 1;
  }
  return 0;
}

/// The number of pairs of output and kernel positions that meet an input element, along one dimension. A very large
/// kernel is sampled.
inline double window_pairs(std::int64_t kernel, std::int64_t outputs, std::int64_t inputs, const window_dimension& w) {
  if (w.stride <= 0 || w.base_dilation <= 0 || w.window_dilation <= 0 || kernel <= 0) return 0;
  constexpr std::int64_t most = 4096;
  const std::int64_t looked_at = std::min(kernel, most);
  double sum = 0;
  for (std::int64_t s = 0; s < looked_at; ++s) {
    const std::int64_t x = kernel <= most ? s : kernel / most * s;
    const auto reach = checked_multiply(x, w.window_dilation);
    const auto shift = reach && w.padding_low != std::numeric_limits<std::int64_t>::min()
                           ? checked_add(*reach, -w.padding_low)
                           : std::nullopt;
    if (shift) sum += static_cast<double>(hit_positions(outputs, inputs, w.stride, w.base_dilation, *shift));
  }
  return sum * static_cast<double>(kernel) / static_cast<double>(looked_at);
}

/// How many real products one of these elements takes: four and as many sums if they are complex.
inline double real_products(const shape& of) {
  return of.type == element_type::c64 || of.type == element_type::c128 ? 4 : 1;
}

}  // namespace detail

/// Of a matrix product in one pass whose left operand is contracted along `contracting`.
inline product_flops dot_flops(const device& d, const shape* left, const shape* result,
                               const std::vector<std::int64_t>& contracting, const std::vector<std::int64_t>& batch) {
  if (!left || !left->is_array() || !result || !result->is_array()) return {};
  const double k = detail::extent_of(*left, contracting), b = detail::extent_of(*left, batch);
  const double out = detail::element_count(result), m = detail::element_count(left) / std::max(1.0, k * b);
  const double model = 2 * detail::real_products(*left) * out * k;
  const double n = std::floor(out / std::max(1.0, std::floor(m) * b));
  // The result has the batch dimensions, then those of the left operand, then those of the right one.
  const std::size_t lanes = detail::lane_dimension(*result), rank = result->rank();
  double right = 1;
  std::size_t first_of_right = rank;
  while (first_of_right > 0 && right < n) right *= static_cast<double>(result->dimensions[--first_of_right].size);
  if (n > 1 && lanes < first_of_right)
    return {model, model * detail::turned_tile_factor(d, static_cast<double>(result->dimensions[lanes].size), n, k)};
  return {model, model * detail::tile_factor(d, std::floor(m), n, k)};
}

/// The flops of the tiles of 32 x 32 x 16 that a GPU computes, one or more for each product of a batch, where they are
/// smaller; 0 for all else (time_model.md 4.2).
inline double batched_tile_flops(const device& d, const shape* left, const shape* result,
                                 const std::vector<std::int64_t>& contracting, const std::vector<std::int64_t>& batch) {
  if (d.is_tpu() || !left || !left->is_array() || !result || !result->is_array()) return 0;
  const double k = detail::extent_of(*left, contracting), b = detail::extent_of(*left, batch);
  const double m = std::floor(detail::element_count(left) / std::max(1.0, k * b));
  const double n = std::floor(detail::element_count(result) / std::max(1.0, m * b));
  if (b < 2 || m < 2 || n < 2 || (m >= 32 && n >= 32)) return 0;
  const auto up = [](double x, double to) { return std::ceil(x / to) * to; };
  return 2 * b * up(m, 32) * up(n, 32) * up(k, 16) * detail::real_products(*left);
}

/// Of a dot.
inline product_flops dot_flops(const device& d, hlo_instruction dot) {
  const auto dimensions = [&](attribute_key key) {
    return get_integers(dot, key).value_or(std::vector<std::int64_t>{});
  };
  product_flops out =
      dot_flops(d, shape_of_operand(dot, 0), dot.shape(), dimensions(attribute_key::lhs_contracting_dims),
                dimensions(attribute_key::lhs_batch_dims));
  out.on_units *= detail::precision_passes(d, dot);
  return out;
}

/// Of a convolution, or of a custom call with the attributes of one, of these three arrays.
inline product_flops convolution_flops(const device& d, hlo_instruction i, const shape* input, const shape* kernel,
                                       const shape* result) {
  const auto labels = get<convolution_dimension_numbers>(i);
  if (!input || !kernel || !result || !labels) return {};
  const auto windows = get<window>(i);
  // An input of one position meets each position of the kernel for another one of the result: heads of attention, which
  // lie beside the features in the units. A result of one position sums over the kernel.
  double pairs = 1, heads = 1, summed = 1, beside = 1;
  for (std::size_t s = 0; s < labels->kernel.spatial.size(); ++s) {
    const auto at = [&](const auto& part) { return s < part.spatial.size() ? part.spatial[s] : std::int64_t{-1}; };
    const window_dimension w = windows && s < windows->dimensions.size() ? windows->dimensions[s] : window_dimension{};
    const std::int64_t inputs = detail::extent_of(*input, at(labels->input)),
                       outputs = detail::extent_of(*result, at(labels->output)),
                       size = detail::extent_of(*kernel, at(labels->kernel));
    pairs *= detail::window_pairs(size, outputs, inputs, w);
    beside = static_cast<double>(std::max<std::int64_t>(1, size));
    if (inputs == 1 && outputs == size) heads *= static_cast<double>(std::max<std::int64_t>(1, outputs));
    if (outputs == 1 && inputs == size) summed *= static_cast<double>(std::max<std::int64_t>(1, inputs));
  }
  const auto groups = [&](attribute_key key) { return std::max<std::int64_t>(1, get_integer(i, key).value_or(1)); };
  const std::int64_t features =
      detail::extent_of(*input, labels->input.second) / groups(attribute_key::feature_group_count);
  const std::int64_t batch = detail::extent_of(*input, labels->input.first) / groups(attribute_key::batch_group_count);
  const double n = static_cast<double>(detail::extent_of(*result, labels->output.second));
  const double model =
      2 * detail::real_products(*input) * static_cast<double>(features) * n * static_cast<double>(batch) * pairs;
  const double passed = model * detail::precision_passes(d, i);
  constexpr std::int64_t few = 8;  // features that libtpu packs with those of the neighbors in a row of the window
  const double k = static_cast<double>(detail::extent_of(*input, labels->input.second)) *
                   (summed == 1 && features <= few ? beside : summed);
  const std::size_t lanes = detail::lane_dimension(*result);
  if (static_cast<std::int64_t>(lanes) == labels->output.first)
    return {model,
            passed * detail::turned_tile_factor(d, static_cast<double>(result->dimensions[lanes].size), n * heads, k)};
  const double rows = std::floor(detail::element_count(result) / std::max(1.0, n * heads));
  return {model, passed * detail::tile_factor(d, rows, n * heads, k)};
}

}  // namespace hlolint
