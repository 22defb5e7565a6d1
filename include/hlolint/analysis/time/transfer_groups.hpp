// How far the devices of a transfer are apart: members of its groups, domains that they touch (time_model.md 2, 3).
#pragma once

#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/device_pairs.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace hlolint {

/// Of a module, for domains of `domain_size` devices with consecutive numbers (replica * num_partitions + partition):
/// the usual order of devices over hosts, which a dump does not record. Lists of devices are decoded once for all
/// transfers that write them alike.
class transfer_groups {
 public:
  /// `domain_size`: at least 1; less counts as 1.
  transfer_groups(const hlo_module& module, std::int64_t domain_size)
      : module_(module), domain_size_(std::max<std::int64_t>(domain_size, 1)) {}

  /// The largest group of a collective; of several the one that touches most domains.
  group_extent extent(hlo_instruction collective) {
    const auto mode = group_mode_of(collective);
    const auto key = std::pair(mode ? static_cast<int>(*mode) : -1,
                               collective.attribute(attribute_key::replica_groups).value_or(std::string_view{}));
    const auto [found, added] = extents_.try_emplace(key);
    if (added) found->second = find_extent(collective);
    return found->second;
  }

  /// Whether a permute, send or recv sends to another device, and to one of another domain. What has no pairs moves.
  bool moves(hlo_instruction transfer) { return pairs(transfer).moves; }
  /// Whether it sends to a device of another domain.
  bool crosses(hlo_instruction transfer) { return pairs(transfer).crosses; }

  /// Of a TPU: link directions that the compiler chose (`color_strategies`), a strategy over an open axis counting
  /// half; 0 if the dump does not give them.
  double directions(hlo_instruction collective) const {
    const auto config = get<backend_config>(collective);
    if (!config || config->text.find("color_strategies") == std::string::npos) return 0;
    std::size_t colors = 0;
    count_colors(config->text, 0, colors);
    return static_cast<double>(colors) / (config->text.find("_MESH\"") != std::string::npos ? 2 : 1);
  }

 private:
  struct pair_facts {
    bool moves = true, crosses = false;
  };

  group_extent find_extent(hlo_instruction collective) {
    record_list<record_list<std::int64_t>> groups;
    if (auto decoded = left_ == 0 ? std::nullopt : find_device_groups(collective, module_))
      groups = std::move(decoded->devices);
    else if (auto listed = left_ == 0 ? std::nullopt : get<replica_groups>(collective))
      groups = std::move(listed->groups);  // numbers that the header does not explain
    for (const record_list<std::int64_t>& group : groups) left_ -= std::min(left_, group.size() + 1);
    if (groups.empty()) {
      const std::int64_t devices =
          std::max<std::int64_t>(checked_multiply(module_.replica_count(), module_.num_partitions()).value_or(1), 1);
      return {devices, devices / domain_size_ + (devices % domain_size_ != 0)};
    }
    group_extent out{0, 0};
    record_list<std::int64_t> domains;
    for (const record_list<std::int64_t>& group : groups) {
      const auto size = static_cast<std::int64_t>(group.size());
      if (size < out.devices) continue;
      domains.clear();
      for (const std::int64_t device : group) domains.push_back(device / domain_size_);
      std::sort(domains.begin(), domains.end());
      const auto touched = static_cast<std::int64_t>(std::unique(domains.begin(), domains.end()) - domains.begin());
      out = size > out.devices ? group_extent{size, touched} : group_extent{size, std::max(out.domains, touched)};
    }
    return out;
  }

  const pair_facts& pairs(hlo_instruction transfer) {
    const bool listed = transfer.has(attribute_key::source_target_pairs);
    const auto key =
        transfer.attribute(listed ? attribute_key::source_target_pairs : attribute_key::frontend_attributes)
            .value_or(std::string_view{});
    const auto [found, added] = pairs_.try_emplace(key);
    if (!added) return found->second;
    const auto decoded = listed ? get<source_target_pairs>(transfer) : send_recv_pairs(transfer);
    if (decoded && !decoded->pairs.empty()) {
      pair_facts& facts = found->second;
      facts.moves = false;
      for (const auto& [source, target] : decoded->pairs) {
        facts.moves = facts.moves || source != target;
        facts.crosses = facts.crosses || source / domain_size_ != target / domain_size_;
      }
    }
    return found->second;
  }

  /// Entries of all `color_strategies` arrays in a JSON value, as deep as any compiler nests them.
  static void count_colors(std::string_view value, int depth, std::size_t& colors) {
    constexpr int deepest = 12;
    if (depth == deepest || value.empty() || (value.front() != '{' && value.front() != '[')) return;
    json_for_each(value, [&](std::string_view key, std::string_view member) {
      if (key == "color_strategies")
        json_for_each(member, [&](std::string_view, std::string_view) { ++colors; });
      else
        count_colors(member, depth + 1, colors);
    });
  }

  hlo_module module_;
  std::int64_t domain_size_;
  std::size_t left_ = std::size_t{1} << 22;  // devices and groups that are still decoded: see `module_groups`
  std::map<std::pair<int, std::string_view>, group_extent> extents_;
  std::map<std::string_view, pair_facts> pairs_;
};

}  // namespace hlolint
