// PAD002: a large array whose most minor dimension has only a few elements.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// A note, since PAD001 warns of the cost; this rule names every such array, however it is stored in the end.
struct degenerate_lane_dim {
  static constexpr rule about{
      .id = "PAD002",
      .name = "degenerate-lane-dim",
      .level = severity::note,
      .costs = cost_kind::both,
      .needs = need::hlo,
      .what = "A big tiled array whose most minor dimension, which lies along the 128 lanes, has at most 8 elements.",
      .why =
          "At least 15 of 16 lanes hold padding: the array takes 16 to 128 times its size, and the vector units "
          "run as empty.",
      .advice =
          "Drop or merge the short trailing dimension (keep [n] instead of [n,1], [4,n] instead of [n,4]), or "
          "transpose it away before the array is stored.",
      .example = "%p = u32[12582912,1]{1,0:T(8,128)} parameter(0)",
      .source = "pytorch/xla #1965, #2016; google/flax #1733"};

  int max_extent = 8;
  int min_elements = 1 << 20;
  static constexpr auto options =
      std::tuple{option{"max-extent", &degenerate_lane_dim::max_extent, "longer most minor dimensions are fine"},
                 option{"min-elements", &degenerate_lane_dim::min_elements, "smaller arrays are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/checks/padding/stored_shapes.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

namespace pad002 {

inline std::int64_t minor_extent(const shape& array) {
  return array.dimensions[static_cast<std::size_t>(array.layout->minor_to_major.front())].size;
}
inline bool is_degenerate(const shape& array, const degenerate_lane_dim& limits) {
  if (array.rank() == 0 || !array.layout || array.layout->tiles.empty()) return false;
  const auto cost = explain_padding(array);  // none if the layout does not fit the shape
  const auto& lanes = array.layout->tiles.front().dimensions;
  if (!cost || lanes.empty() || lanes.back() < 128 || minor_extent(array) > limits.max_extent) return false;
  return detail::dense_elements(array).value_or(0) >= limits.min_elements && cost->padded > cost->dense;
}

}  // namespace pad002

HLOLINT_INLINE void degenerate_lane_dim::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu || dump.target() == target::gpu) return;
  for (const detail::stored_shape& s :
       detail::stored_shapes(dump, [&](const shape& array) { return pad002::is_degenerate(array, *this); })) {
    const padding_cost cost = explain_padding(s.array).value();
    emit(detail::stored_shape_finding(
        s, dump,
        str_cat({to_string(s.array), " has only ", pad002::minor_extent(s.array), " elements along the ",
                 s.array.layout->tiles.front().dimensions.back(), " lanes of its tile: ", human(cost.padded), " for ",
                 human(cost.dense), " of elements"}),
        cost.waste()));
  }
}

}  // namespace hlolint
#endif
