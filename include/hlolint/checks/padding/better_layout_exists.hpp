// PAD003: an array that would be much smaller in another dimension order.
#pragma once

#include <hlolint/lint/check.hpp>

namespace hlolint {

/// Tries other minor-to-major orders. Arrays that PAD001 reports by default, with the better order, are left to it. A
/// note, since consumers may need the present order.
struct better_layout_exists {
  static constexpr rule about{
      .id = "PAD003",
      .name = "better-layout-exists",
      .level = severity::note,
      .costs = cost_kind::both,
      .needs = need::hlo,
      .what =
          "A padded array would take at most four fifths of its memory in another dimension order. Arrays that PAD001 "
          "reports are left out.",
      .why =
          "Padding depends on which dimensions are tiled: a long dimension costs nothing, a short one is rounded "
          "up.",
      .advice =
          "Give the array that order in the program (transpose it, or swap the dimensions where it is made), "
          "if its dots, convolutions and collectives allow. The compiler chooses layouts; you choose the order "
          "of dimensions.",
      .example = "%p = f32[96,262144]{0,1:T(8,128)} parameter(0)",
      .source = "pytorch/xla #6674; XLA: shape_util.cc, ArraySize"};

  byte_count min_saving = 16_MiB;
  double min_share = 0.2;
  static constexpr auto options =
      std::tuple{option{"min-saving", &better_layout_exists::min_saving, "orders that save less are not reported"},
                 option{"min-share", &better_layout_exists::min_share,
                        "orders that save a smaller share of the size are not reported"}};

  void operator()(const context& dump, sink_ref emit) const;
};

}  // namespace hlolint

#ifndef HLOLINT_DECLARATIONS_ONLY
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/checks/padding/stored_shapes.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/text/str_cat.hpp>

namespace hlolint {

HLOLINT_INLINE void better_layout_exists::operator()(const context& dump, sink_ref emit) const {
  if (dump.target() == target::cpu || dump.target() == target::gpu) return;
  const tile_padding reported;  // by default
  const auto wanted = [&](const shape& array) {
    const auto cost = explain_padding(array);
    if (!cost || cost->waste() < min_saving) return false;  // cheap to ask first
    if (cost->waste() >= reported.min_waste && cost->ratio() >= reported.min_ratio) return false;
    const auto better = find_better_layout(array, min_share);
    return better && checked_int64(cost->padded) - better->padded >= min_saving;
  };
  for (const detail::stored_shape& s : detail::stored_shapes(dump, wanted)) {
    const auto better = find_better_layout(s.array, min_share);
    const byte_count padded = explain_padding(s.array)->padded;
    emit(detail::stored_shape_finding(s, dump,
                                      str_cat({to_string(s.array), " takes ", human(padded), "; ",
                                               to_string(better->array), " would take ", human(better->padded)}),
                                      (checked_int64(padded) - better->padded).clamped()));
  }
}

}  // namespace hlolint
#endif
