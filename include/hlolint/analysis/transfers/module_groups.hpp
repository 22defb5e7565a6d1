// The device groups of all collectives of a module, each list decoded once.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/program/instructions_by_opcode.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hlolint {

/// Faults of a list of groups, whichever collective has it; the first one in text order.
struct group_list_faults {
  bool has_empty_group = false;         ///< a group `{}` beside others
  std::optional<std::int64_t> twice;    ///< an id that appears twice
  std::optional<std::int64_t> missing;  ///< the lowest missing id below the number of ids; only if no id appears twice
};

/// One `replica_groups` of a module, in one mode.
struct written_groups {
  std::optional<device_groups> devices;   ///< without `ids`; nothing: illegal, or too many devices
  group_list_faults faults;               ///< faults of the list
  std::size_t group_count = 0;            ///< 0: `{}` is written
  std::int64_t id_count = 0;              ///< in all groups together
  std::size_t first_size = 0;             ///< ids of the first group
  std::optional<std::size_t> other_size;  ///< size of the first group that differs in it
  std::uint64_t key = 0;                  ///< equal for equal lists in any notation
};

/// The groups of the collectives of one module; equal notations share one list. All lists together hold at most about
/// `most_ids` ids, groups and devices, since an iota of a few bytes can name any number; lists beyond the limit are
/// unknown.
class module_groups {
 public:
  /// The most ids, groups and devices in all lists together.
  static constexpr std::size_t most_ids = group_decoder::most;

  /// O(n log n) in the module, and linear in its lists, up to `most_ids`.
  explicit module_groups(const hlo_module& module) : module_groups(module, instructions_by_opcode(module)) {}
  /// From a cache.
  explicit module_groups(const analysis_cache auto& cache)
      : module_groups(*cache.hlo(), cache.template get<instructions_by_opcode>()) {}

  /// The list of a collective, which is the instruction with the attribute, for an async op the wrapped one. Null if it
  /// names no groups, or too many.
  const written_groups* of(hlo_instruction collective) const {
    const id at = list_of_[collective.id()];
    return at == none ? nullptr : &lists_[at];
  }
  /// The decoded groups, as by `find_device_groups`; null if there are none.
  const device_groups* devices_of(hlo_instruction collective) const {
    const written_groups* const found = of(collective);
    return found && found->devices ? &*found->devices : nullptr;
  }

 private:
  module_groups(const hlo_module& module, const instructions_by_opcode& by_opcode)
      : list_of_(module.instruction_count(), none) {
    std::map<std::pair<int, std::string_view>, id> known;  // by mode and text
    std::size_t left = most_ids;
    for (const hlo_instruction i : by_opcode.where(is_collective)) {
      const auto text = i.attribute(attribute_key::replica_groups);
      if (!text) continue;
      const auto mode = group_mode_of(i);
      const auto [found, is_new] = known.try_emplace({mode ? static_cast<int>(*mode) : -1, *text}, none);
      if (const auto written = is_new && left > 0 ? get<replica_groups>(i) : std::nullopt) {
        left -= std::min(left, add(*written, mode, module));
        found->second = static_cast<id>(lists_.size() - 1);
      }
      list_of_[i.id()] = found->second;
    }
  }

  // Adds a list and returns its cost.
  std::size_t add(const replica_groups& written, std::optional<group_mode> mode, const hlo_module& module) {
    written_groups& list = lists_.emplace_back();
    list.group_count = written.groups.size();
    list.first_size = written.groups.empty() ? 0 : written.groups.front().size();
    number_hash key;
    std::size_t ids = 0;
    for (const auto& group : written.groups) {
      if (!list.other_size && group.size() != list.first_size) list.other_size = group.size();
      key.add(group.size());
      for (const std::int64_t one : group) key.add(one);
      ids += group.size();
    }
    list.key = key.value();
    list.id_count = static_cast<std::int64_t>(ids);
    list.faults = faults_of(written.groups, ids);
    std::size_t used = ids + written.groups.size() + 1;
    if (mode) list.devices = device_groups_of(written, *mode, module);
    if (!list.devices) return used;
    list.devices->ids = {};
    for (const auto& group : list.devices->devices) used += group.size() + 1;
    return used;
  }

  static group_list_faults faults_of(const std::vector<std::vector<std::int64_t>>& groups, std::size_t count) {
    std::vector<std::int64_t> sorted;
    sorted.reserve(count);
    bool any_empty = false;
    for (const auto& group : groups) {
      any_empty = any_empty || group.empty();
      sorted.insert(sorted.end(), group.begin(), group.end());
    }
    std::sort(sorted.begin(), sorted.end());
    if (any_empty || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
      std::unordered_set<std::int64_t> seen;
      for (const auto& group : groups) {
        if (group.empty()) return {true, {}, {}};
        for (const std::int64_t one : group)
          if (!seen.insert(one).second) return {false, one, {}};
      }
    }
    std::int64_t next = 0;
    for (const std::int64_t one : sorted) next += one == next;
    return {false, {}, next < static_cast<std::int64_t>(count) ? std::optional(next) : std::nullopt};
  }

  std::vector<id> list_of_;  // by instruction, into lists_
  std::vector<written_groups> lists_;
};

/// Whether two collectives name equal groups in the same order, or equal pairs. True if one of them names none.
inline bool same_devices(hlo_instruction a, hlo_instruction b, const module_groups& all_groups) {
  const auto first = a.attribute(attribute_key::source_target_pairs),
             second = b.attribute(attribute_key::source_target_pairs);
  if (first && second) {
    if (*first == *second) return true;  // the usual case, without reading them
    const auto x = get<source_target_pairs>(a), y = get<source_target_pairs>(b);
    return !x || !y || x->pairs == y->pairs;
  }
  const written_groups *const x = all_groups.of(a), *const y = all_groups.of(b);
  return !x || !y || x->key == y->key;
}

/// Whether a collective certainly moves nothing: its groups have one device each, or its pairs are of a device with
/// itself. `collective` is the instruction with the attributes.
inline bool moves_nothing(hlo_instruction collective, const module_groups& all_groups) {
  if (const auto written = get<source_target_pairs>(collective))
    return std::ranges::all_of(written->pairs, [](const auto& pair) { return pair.first == pair.second; });
  const device_groups* const groups = all_groups.devices_of(collective);
  return groups && groups->largest() <= 1;
}

}  // namespace hlolint
