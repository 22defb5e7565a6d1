// Values with much padding that take less memory in another dimension order (advise.md 15).
#pragma once

#include <hlolint/analysis/sizes/padding.hpp>
#include <hlolint/tool/advise/changes/change_candidate.hpp>
#include <hlolint/tool/advise/changes/stored_form.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint::advise {

namespace detail {

// A value, and a layout in which it takes at most four fifths of its bytes, as PAD001 and PAD003 define it.
inline std::optional<reshaped_value> tightened_value_of(const edited_module& now, hlo_instruction value,
                                                        byte_count least) {
  constexpr double least_share = 0.2;
  const shape* const own = value.shape();
  if (!is_tiled(now.made->rules().sizes) || !own || !own->layout || own->layout->tiles.empty() ||
      !own->layout->split_configs.empty() || own->layout->dynamic_shape_metadata_prefix_bytes > 0)
    return std::nullopt;
  auto found = stored_value_of(now, value, least, "kLoop kInput kOutput copy");
  const auto better = found ? find_better_layout(*own, least_share) : std::nullopt;
  if (!better) return std::nullopt;
  for (const stored_value::reader& r : found->readers)
    if (r.parameter ? r.user.attribute(attribute_key::kind) == "kCustom" : r.user.opcode() != hlo_opcode::copy)
      return std::nullopt;
  return reshaped_value{std::move(*found), better->array};
}

}  // namespace detail

/// Values of at least `least` bytes that take less memory in another layout, the largest first.
inline std::vector<change_candidate> layout_candidates(const edited_module& now, byte_count least) {
  return detail::stored_candidates(now, least, change_kind::layout, hlo_opcode::copy, &detail::tightened_value_of);
}

}  // namespace hlolint::advise
