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
  /// Domains of a device.
  transfer_groups(const hlo_module& module, const device& on) : transfer_groups(module, on.domain_size) {
    width_ = slice_width(on, devices_);
  }
  /// `domain_size`: at least 1; less counts as 1.
  transfer_groups(const hlo_module& module, std::int64_t domain_size)
      : module_(module),
        domain_size_(std::max<std::int64_t>(domain_size, 1)),
        devices_(
            std::max<std::int64_t>(checked_multiply(module.replica_count(), module.num_partitions()).value_or(1), 1)) {}

  /// The largest group of a collective; of several the one that touches most domains.
  group_extent extent(hlo_instruction collective) { return groups(collective).extent; }

  /// Whether a permute, send or recv sends to another device, and to one of another domain. What has no pairs moves.
  bool moves(hlo_instruction transfer) { return pairs(transfer).moves; }
  /// Whether it sends to a device of another domain.
  bool crosses(hlo_instruction transfer) { return pairs(transfer).crosses; }

  /// Link directions that a collective uses at once on a TPU: what the compiler chose (`color_strategies`), a strategy
  /// over an open axis counting half; where the dump does not give them, those of a slice with all devices of the
  /// module, by the groups that share a link.
  double directions(hlo_instruction collective, const device& on) {
    const auto config = get<backend_config>(collective);
    std::size_t colors = 0;
    if (config && config->text.find("color_strategies") != std::string::npos) count_colors(config->text, 0, colors);
    if (colors == 0) {
      const group_facts& of = groups(collective);
      return torus_directions(on, of.extent.devices, devices_) / static_cast<double>(of.on_a_link);
    }
    return static_cast<double>(colors) / (config->text.find("_MESH\"") != std::string::npos ? 2 : 1);
  }

 private:
  struct group_facts {
    group_extent extent;
    std::int64_t on_a_link = 1;  // groups that share each link
  };
  struct pair_facts {
    bool moves = true, crosses = false;
  };

  const group_facts& groups(hlo_instruction collective) {
    const auto mode = group_mode_of(collective);
    const auto key = std::pair(mode ? static_cast<int>(*mode) : -1,
                               collective.attribute(attribute_key::replica_groups).value_or(std::string_view{}));
    const auto [found, added] = groups_.try_emplace(key);
    if (added) found->second = find_groups(collective);
    return found->second;
  }

  group_facts find_groups(hlo_instruction collective) {
    record_list<record_list<std::int64_t>> groups;
    if (auto decoded = left_ == 0 ? std::nullopt : find_device_groups(collective, module_))
      groups = std::move(decoded->devices);
    else if (auto listed = left_ == 0 ? std::nullopt : get<replica_groups>(collective))
      groups = std::move(listed->groups);  // numbers that the header does not explain
    for (const record_list<std::int64_t>& group : groups) left_ -= std::min(left_, group.size() + 1);
    if (groups.empty()) return {{devices_, devices_ / domain_size_ + (devices_ % domain_size_ != 0)}, 1};
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
    return {out, groups_on_a_link(groups)};
  }

  // Chips of one row or column that stand s apart: s such groups lie in it, and each link is on the way of all of them.
  std::int64_t groups_on_a_link(const record_list<record_list<std::int64_t>>& groups) const {
    std::int64_t members = 0, apart = 0;
    for (const record_list<std::int64_t>& group : groups) {
      members += static_cast<std::int64_t>(group.size());
      if (width_ == 0 || group.size() < 2 || group[0] < 0 || group.back() >= devices_) return 1;
      const std::int64_t step = group[1] - group[0];
      for (std::size_t k = 1; k < group.size(); ++k)
        if (step <= 0 || group[k] - group[k - 1] != step) return 1;
      const bool row = group[0] / width_ == group.back() / width_, column = step % width_ == 0;
      const std::int64_t here = row ? step : step / width_;
      if (!(row || column) || (apart != 0 && here != apart)) return 1;
      apart = here;
    }
    return members == devices_ ? apart : 1;
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
  std::int64_t devices_;                     // of the module
  std::int64_t width_ = 0;                   // of its rectangle of devices; 0: it is none
  std::size_t left_ = std::size_t{1} << 22;  // devices and groups that are still decoded: see `module_groups`
  std::map<std::pair<int, std::string_view>, group_facts> groups_;
  std::map<std::string_view, pair_facts> pairs_;
};

}  // namespace hlolint
