// How two values that have bytes in common relate to each other (buffer_dumps.md 5.4).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// In a touch the earlier value ends at the position where the later one starts. Where the HLO is at hand and agrees
/// with the dump about both values, it decides; otherwise the dump alone has to explain a touch.
enum class overlap_class : std::uint8_t {
  no_range,          ///< one of them has no live range: cannot be judged
  disjoint,          ///< the earlier ends before the later starts
  one_buffer,        ///< touch, with HLO: one alias set
  may_share,         ///< touch, with HLO: the later one's instruction may take over what it reads
  may_share_on_gpu,  ///< the same, but only by the GPU backend's rules
  hand_off,          ///< touch, dump only: the later one's instruction reads the earlier value
  siblings,          ///< touch, dump only: two outputs that take over one operand
  merged,            ///< touch, dump only: one is a phi value
  chained,           ///< touch, dump only: linked by other values of the same bytes
  declared_alias,    ///< touch, dump only: by the instructions' `output_to_operand_aliasing`
  unexplained,       ///< touch, dump only: nothing is known; proves nothing
  not_shareable,     ///< touch, with HLO: the later one's instruction reads the earlier value and may not take it over
  unrelated,         ///< touch, with HLO: nothing in XLA produces it
  partial_touch,     ///< touch at different offsets
  clash,             ///< the earlier ends after the later starts
  count              ///< number of the classes above
};

/// As texts write it: one or two words.
constexpr std::string_view name_of(overlap_class c) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(overlap_class::count)> names{
      "no range",    "disjoint",      "one buffer", "may share",     "may share on GPU",
      "hand-off",    "siblings",      "merged",     "chained",       "declared alias",
      "unexplained", "not shareable", "unrelated",  "partial touch", "clash"};
  return names[static_cast<std::size_t>(c)];
}

/// Whether it is, or may be, a fault.
constexpr bool is_conflict(overlap_class c) {
  using enum overlap_class;
  return c == clash || c == partial_touch || c == unrelated || c == not_shareable || c == unexplained ||
         c == may_share_on_gpu;
}

}  // namespace hlolint
