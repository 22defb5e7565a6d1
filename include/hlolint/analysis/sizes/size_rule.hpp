// Which size function made a buffer dump (sizes.md 5).
#pragma once

#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/ir/buffers.hpp>

#include <array>
#include <cstddef>

namespace hlolint {

/// Whether a printed size is the part's own size by `rule`. The `M(n)` prefix of a TPU array may or may not be counted.
/// A part whose size is not known agrees with everything.
inline bool size_agrees(const shape& part, byte_count printed, size_rule rule) {
  const auto own = byte_size(part, rule);
  if (!own || *own == printed) return true;
  const bool prefixed = rule == size_rule::tpu_tiled && part.layout;
  return prefixed && checked_int64(*own) - part.layout->dynamic_shape_metadata_prefix_bytes == checked_int64(printed);
}

/// The rule with the fewest values whose own size is not the printed one; of equals the first of plain, plain_dynamic,
/// tpu_tiled. A dump without values gives `plain`. Tiles do not decide: tools that assign without a TPU print them too.
inline size_rule choose_size_rule(const buffer_dump& dump) {
  constexpr std::array rules{size_rule::plain, size_rule::plain_dynamic, size_rule::tpu_tiled};
  std::size_t best = 0, fewest = 0;
  for (std::size_t r = 0; r < rules.size(); ++r) {
    std::size_t differing = 0;
    for (const assigned_value& value : dump.values())
      differing += !size_agrees(dump.shape(value), value.size, rules[r]);
    if (r == 0 || differing < fewest) best = r, fewest = differing;
    if (fewest == 0) break;
  }
  return rules[best];
}

/// The size rule as an analysis that a context keeps.
struct chosen_size_rule {
  /// Linear in the values.
  explicit chosen_size_rule(const buffer_dump& dump) : value(choose_size_rule(dump)) {}
  size_rule value;  ///< the rule that agrees best
};

}  // namespace hlolint
