// Collectives that are written but transfer nothing.
#pragma once

#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/optional.hpp>

#include <algorithm>

namespace hlolint {

namespace detail {
// Whether pairs are written, and whether all of them are of a device with itself.
inline optional<bool> pairs_move_nothing(hlo_instruction collective) {
  const auto pairs = get<source_target_pairs>(collective);
  if (!pairs) return std::nullopt;
  return std::all_of(pairs->pairs.begin(), pairs->pairs.end(),
                     [](const auto& pair) { return pair.first == pair.second; });
}
}  // namespace detail

/// Whether a collective certainly moves nothing: groups of one device, or a permutation onto itself.
/// `collective` is the instruction with the attributes.
inline bool moves_nothing(hlo_instruction collective, const module_groups& all_groups) {
  if (const auto by_pairs = detail::pairs_move_nothing(collective)) return *by_pairs;
  const device_groups* const groups = all_groups.devices_of(collective);
  return groups && groups->largest() <= 1;
}
/// The same for one collective alone, whose groups are decoded for it.
inline bool moves_nothing(hlo_instruction collective, const hlo_module& module) {
  if (const auto by_pairs = detail::pairs_move_nothing(collective)) return *by_pairs;
  const auto groups = find_device_groups(collective, module);
  return groups && groups->largest() <= 1;
}

}  // namespace hlolint
