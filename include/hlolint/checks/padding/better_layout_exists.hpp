// PAD003: an array that another dimension order would make much smaller.
#pragma once

#include <hlolint/checks/padding/waste_limit.hpp>
#include <hlolint/lint/check.hpp>
#include <hlolint/lint/option.hpp>

#include <tuple>

namespace hlolint {

/// The same tiles, another minor-to-major order. Arrays that are padded so much that PAD001 reports them, with the
/// better order, are left to it. A note: consumers may need the order that is there.
struct better_layout_exists {
  static constexpr rule about{
      .id = "PAD003",
      .name = "better-layout-exists",
      .level = severity::note,
      .costs = cost_kind::both,
      .what =
          "With the same tiles and another dimension order, an array that is padded, though less than PAD001 "
          "reports, would take at most four fifths of its memory.",
      .why =
          "Padding depends on which dimensions are cut into tiles: a long one costs nothing, a short one is rounded "
          "up.",
      .advice =
          "Give the array that order in the program (transpose it, or swap the dimensions where it is made), if "
          "its dots, convolutions and collectives allow. Layouts are the compiler's choice; the order of "
          "dimensions is yours.",
      .example = "%p = f32[96,262144]{0,1:T(8,128)} parameter(0)",
      .source = "pytorch/xla #6674; XLA: shape_util.cc, ArraySize"};
  static constexpr need needs = need::hlo;

  byte_count min_saving = 16_MiB;
  double min_share = 0.2;
  static constexpr auto options =
      std::tuple{option{"min-saving", &better_layout_exists::min_saving, "orders that save less are not reported"},
                 option{"min-share", &better_layout_exists::min_share,
                        "orders that save a smaller share of the size are not reported"}};

  /// Reports an array that another dimension order would make much smaller.
  void operator()(const context& dump, sink_ref report) const;
};

}  // namespace hlolint

#ifdef HLOLINT_CHECK_CODE
#include <hlolint/analysis/sizes/better_layout.hpp>
#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/checks/padding/stored_shapes.hpp>
#include <hlolint/lint/finding_costs.hpp>

#include <string>
#include <utility>

namespace hlolint {

HLOLINT_INLINE void better_layout_exists::operator()(const context& dump, sink_ref report) const {
  if (dump.target() == target::cpu || dump.target() == target::gpu) return;
  const auto wanted = [&](const shape& array) {
    const auto cost = explain_padding(array);
    if (!cost || cost->waste() < min_saving) return false;  // cheap to ask first
    if (cost->waste() >= detail::much_padding && cost->ratio() >= detail::much_padded) return false;
    const auto better = find_better_layout(array, min_share);
    return better && checked_int64(cost->padded) - better->padded >= min_saving;
  };
  for (const detail::stored_shape& s : detail::stored_shapes(dump, wanted)) {
    const auto better = find_better_layout(s.array, min_share);
    const byte_count padded = explain_padding(s.array)->padded;
    finding d =
        detail::stored_shape_finding(s, to_string(s.array) + " takes " + human(padded) + "; " +
                                            to_string(better->array) + " would take " + human(better->padded));
    d.bytes = (checked_int64(padded) - better->padded).clamped();
    report(std::move(d));
  }
}

}  // namespace hlolint
#endif
