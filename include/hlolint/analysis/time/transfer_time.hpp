// The time of each transfer of a module on a device (time_model.md 3, 6.1).
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/analysis/program/async_work.hpp>
#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/sizes/byte_size.hpp>
#include <hlolint/analysis/time/link_time.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/transfer_sources.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/grammar/attributes/json.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/containers/ordered_map.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace hlolint {

/// The groups of a module's transfers (time_model.md 2, 3). Devices with consecutive numbers (replica * num_partitions
/// + partition) form domains of `domain_size`: the usual order over hosts, which a dump does not record. Equal lists of
/// devices are decoded once.
class transfer_groups {
 public:
  /// With the domain size of a device.
  transfer_groups(const hlo_module& module, const device& on)
      : module_(module),
        domain_size_(std::max<std::int64_t>(on.domain_size, 1)),
        devices_(
            std::max<std::int64_t>(checked_multiply(module.replica_count(), module.num_partitions()).value_or(1), 1)),
        width_(slice_width(on, devices_)) {}

  /// The largest group of a collective; of equally large ones the one that touches most domains.
  group_extent extent(hlo_instruction collective) { return groups(collective).extent; }

  /// Whether a permute, send or recv sends to another device; true without pairs.
  bool moves(hlo_instruction transfer) { return pairs(transfer).moves; }
  /// Whether a permute, send or recv sends to a device of another domain.
  bool crosses(hlo_instruction transfer) { return pairs(transfer).crosses; }

  /// The number of link directions that a collective uses at once on a TPU: the compiler's choice (`color_strategies`),
  /// where a strategy over an open axis counts half; without it, the number in a slice of all devices of the module,
  /// divided by the groups that share a link.
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
    std::int64_t on_a_link = 1;  // groups that share a link
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
      groups = std::move(listed->groups);  // numbers without meaning in the header
    for (const record_list<std::int64_t>& group : groups) left_ -= std::min(left_, group.size() + 1);
    if (groups.empty()) return {{devices_, devices_ / domain_size_ + (devices_ % domain_size_ != 0)}, 1};
    group_extent out{0, 0};
    record_list<std::int64_t> domains;
    for (const record_list<std::int64_t>& group : groups) {
      const auto size = static_cast<std::int64_t>(group.size());
      if (size < out.devices) continue;
      domains.clear();
      for (const std::int64_t device : group) domains.push_back(device / domain_size_);
      sort_unique(domains);
      const auto touched = static_cast<std::int64_t>(domains.size());
      out = size > out.devices ? group_extent{size, touched} : group_extent{size, std::max(out.domains, touched)};
    }
    return {out, groups_on_a_link(groups)};
  }

  // Groups of chips at distance s in a row or column: s such groups share each link.
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

  /// Counts entries of all `color_strategies` arrays in a JSON value, down to the depth that compilers use.
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
  std::int64_t width_;                       // of its rectangle of devices; 0: none
  std::size_t left_ = std::size_t{1} << 22;  // devices and groups that may still be decoded, as in `module_groups`
  ordered_map<std::pair<int, std::string_view>, group_facts> groups_;
  ordered_map<std::string_view, pair_facts> pairs_;
};

/// The times of all transfers of a module.
class transfer_times {
 public:
  /// O(n log n) in the module, and linear in the devices of its transfers.
  transfer_times(const hlo_module& module, const device& on)
      : device_(on), sources_(module), times_(module.instruction_count(), none) {
    transfer_groups groups(module, on);
    for (const hlo_instruction i : module.instructions()) {
      if (!transfer_sources::may_transfer(i.opcode())) continue;
      const hlo_instruction transfer = sources_.transfer_of(i);
      if (!transfer) continue;
      times_[i.id()] = static_cast<id>(made_.size());
      made_.push_back(time_of(transfer, groups, sources_.is_scatter(i, transfer)));
      if (i.opcode() == hlo_opcode::async_start) add_others(i, transfer, groups);
    }
  }

  /// The time of a transfer, by its start or itself; null for other instructions.
  const transfer_time* of(hlo_instruction i) const { return times_[i.id()] == none ? nullptr : &made_[times_[i.id()]]; }
  /// The roles of instructions in transfers.
  const transfer_sources& sources() const { return sources_; }

 private:
  /// Adds the other transfers of a group in one async computation, which are launched together and move their bytes in
  /// sequence.
  void add_others(hlo_instruction start, hlo_instruction first, transfer_groups& groups) {
    const hlo_computation wrapped = first_called(start);
    transfer_time& sum = made_.back();
    for (const hlo_instruction i : wrapped.instructions()) {
      if (i == first || !(is_synchronous_collective(i.opcode()) || transfer_sources::is_pair_opcode(i.opcode())))
        continue;
      const transfer_time other = time_of(i, groups);
      sum.bytes += other.bytes, sum.wire_bytes += other.wire_bytes, sum.network_bytes += other.network_bytes;
      sum.within += other.within, sum.between += other.between, sum.latency = std::max(sum.latency, other.latency);
      if (other.path == transfer_path::network) sum.path = other.path;
    }
  }
  static double bytes_of(const shape* s) {
    double sum = 0;
    if (s)
      for_each_subshape(*s, [&](const shape_index&, const shape& part) {
        if (!part.is_tuple()) sum += static_cast<double>(dense_size(part).value_or(0));
      });
    return sum;
  }
  static double operand_bytes(hlo_instruction i) {
    double sum = 0;
    for (std::size_t k = 0; k < i.operand_count(); ++k) sum += bytes_of(shape_of_operand(i, k));
    return sum;
  }
  static const shape* part(hlo_instruction i, std::uint32_t at) {
    const shape* const whole = i.shape();
    return whole && whole->is_tuple() ? whole->at({at}) : whole;
  }

  transfer_time time_of(hlo_instruction i, transfer_groups& groups, bool scatters = false) const {
    using enum hlo_opcode;
    const hlo_opcode kind = scatters ? reduce_scatter : i.opcode() == copy_start ? copy : collective_kind(i.opcode());
    switch (kind) {
      case copy: {
        const shape* const from = shape_of_operand(i, 0);
        return copy_time(device_, from ? bytes_of(from) : bytes_of(part(i, 0)),
                         is_in_host(from) || is_in_host(part(i, 0)));
      }
      case send: case recv: {
        const shape* const data = kind == recv ? part(i, 0) : shape_of_operand(i, 0);
        transfer_time t = get_boolean(i, attribute_key::is_host_transfer)
                              ? copy_time(device_, bytes_of(data), true)
                              : pair_time(device_, kind, bytes_of(data), groups.moves(i), groups.crosses(i));
        t.kind = kind;
        return t;
      }
      case collective_permute:
        return pair_time(device_, kind, operand_bytes(i), groups.moves(i), groups.crosses(i));
      default: break;
    }
    const bool by_operands = kind == reduce_scatter || kind == all_to_all || kind == ragged_all_to_all;
    const double bytes = by_operands                      ? operand_bytes(i)
                         : i.opcode() == all_gather_start ? bytes_of(part(i, 1))
                                                          : bytes_of(i.shape());
    return collective_time(device_, kind, bytes, groups.extent(i),
                           device_.is_tpu() ? groups.directions(i, device_) : 0);
  }

  device device_;
  transfer_sources sources_;
  record_list<id> times_;  // by instruction, into made_
  record_list<transfer_time> made_;
};

}  // namespace hlolint
