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
#include <hlolint/text/integer.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The groups of a module's transfers (time_model.md 2, 3). Devices with consecutive numbers form domains of
/// `domain_size`, and lie along the axes of a torus in this order. The number of a device is that of the part of the
/// program that it runs (replica * num_partitions + partition), unless `device::slice` has an assignment. Equal lists
/// of devices are decoded once.
class transfer_groups {
 public:
  /// With the domain size of a device.
  transfer_groups(const hlo_module& module, const device& on)
      : decoder_(module),
        domain_size_(std::max<std::int64_t>(on.domain_size, 1)),
        devices_(
            std::max<std::int64_t>(checked_multiply(module.replica_count(), module.num_partitions()).value_or(1), 1)),
        slice_(slice_of(on, devices_)),
        knows_rings_(slice_[0] > 0 && on.slice.chips == slice_),
        closed_(on.slice.closed),
        per_chip_(knows_rings_ ? std::max<std::int64_t>(on.devices_per_chip, 1) : 1) {
    if (on.slice.ids.size() == static_cast<std::size_t>(devices_)) ids_ = on.slice.ids;
  }

  /// The largest group of a collective; of equally large ones the one that touches most domains.
  group_extent extent(hlo_instruction collective) { return groups(collective).extent; }

  /// Whether a permute, send or recv sends to another device; true without pairs.
  bool moves(hlo_instruction transfer) { return pairs(transfer).moves; }
  /// The link that a permute uses on a TPU, by the way that most of its pairs go: `+x` and `-x` along the numbers of
  /// the devices, `+y`, `-y`, `+z` and `-z` across rows; empty if the pairs go no common way (time_model.md 6.1).
  std::string_view link(hlo_instruction permute) {
    const std::int64_t distance = pairs(permute).distance, size = distance < 0 ? -distance : distance;
    if (size == 0) return {};
    constexpr std::int64_t cube = 4;  // the side of the smallest one
    const auto [x, y, z] = slice_;
    const std::size_t axis = x == 0                          ? (size < cube          ? 0
                                                                : size < cube * cube ? 1
                                                                                     : 2)
                             : size % x != 0                 ? 0
                             : z == 1 || size % (x * y) != 0 ? 1
                                                             : 2;
    constexpr std::string_view links[2][3] = {{"+x", "+y", "+z"}, {"-x", "-y", "-z"}};
    return links[distance < 0][axis];
  }
  /// Whether a permute, send or recv sends to a device of another domain.
  bool crosses(hlo_instruction transfer) { return pairs(transfer).crosses; }

  /// The number of link directions that a collective uses at once on a TPU: the compiler's choice (`color_strategies`,
  /// where a strategy over an open axis counts half, or `collective_algorithm_config`), but no more than its groups
  /// have; without it, the number in a slice of all devices of the module, divided by the groups that share a link.
  /// Where a fusion makes the transfer, the choice may stand on it: `outer`, otherwise the collective itself.
  double directions(hlo_instruction collective, hlo_instruction outer, const device& on) {
    const auto has_choice = [](const std::optional<backend_config>& of) {
      return of && (of->text.find("color_strategies") != std::string::npos ||
                    of->text.find("collective_algorithm_config") != std::string::npos);
    };
    auto config = get<backend_config>(collective);
    if (!(outer == collective) && !has_choice(config)) config = get<backend_config>(outer);
    std::size_t colors = 0;
    double axes = 1;
    if (config && config->text.find("color_strategies") != std::string::npos) count_colors(config->text, 0, colors);
    if (colors == 0 && config)
      if (const auto algorithm = json_find(config->text, "collective_algorithm_config")) {
        if (const double printed = algorithm_directions(*algorithm); printed > 0)
          return std::min(printed, groups(collective).most_directions) /
                 static_cast<double>(groups(collective).on_a_link);
        axes = all_gather_axes(*algorithm);
      }
    if (colors == 0) {
      const group_facts& of = groups(collective);
      const bool closed = of.closed.value_or(has_closed_torus(on, std::max(of.extent.devices, devices_)));
      return std::max(axes, torus_directions(on, of.extent.devices, closed)) / static_cast<double>(of.on_a_link);
    }
    return static_cast<double>(colors) / (config->text.find("_MESH\"") != std::string::npos ? 2 : 1);
  }

 private:
  struct group_facts {
    group_extent extent;
    std::int64_t on_a_link = 1;  // groups that share a link
    std::optional<bool> closed;  // whether the axes that they span are rings, if it is known
    double most_directions = 6;  // of links between their members
  };
  struct pair_facts {
    bool moves = true, crosses = false;
    std::int64_t distance = 0;  // that most pairs have, in the order of the devices; 0: none
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
    std::vector<std::vector<std::int64_t>> groups = decoder_.of(collective);
    if (groups.empty()) return {{devices_, devices_ / domain_size_ + (devices_ % domain_size_ != 0)}, 1, {}};
    group_extent out{0, 0};
    std::vector<std::int64_t> domains;
    for (const std::vector<std::int64_t>& group : groups) {
      const auto size = static_cast<std::int64_t>(group.size());
      if (size < out.devices) continue;
      domains.clear();
      for (const std::int64_t member : group) domains.push_back(number_of(member) / domain_size_);
      sort_unique(domains);
      const auto touched = static_cast<std::int64_t>(domains.size());
      out = size > out.devices ? group_extent{size, touched} : group_extent{size, std::max(out.domains, touched)};
    }
    group_facts facts{out, groups_on_a_link(groups), {}};
    find_axes(groups, facts);
    return facts;
  }

  // The number of the device that runs a part of the program.
  std::int64_t number_of(std::int64_t part) const {
    return part >= 0 && static_cast<std::size_t>(part) < ids_.size() ? ids_[static_cast<std::size_t>(part)] : part;
  }
  // The chips from a device's to another's along each axis.
  std::array<std::int64_t, 3> way(std::int64_t from, std::int64_t to) const {
    from /= per_chip_, to /= per_chip_;
    const auto [x, y, z] = slice_;
    return {to % x - from % x, to / x % y - from / x % y, to / (x * y) - from / (x * y)};
  }

  // Whether all axes along which the groups have several chips are rings, if that is known, and the directions of the
  // links between the members of a group: one along an axis on which it has two chips, which one link connects, and two
  // along a longer one.
  void find_axes(const std::vector<std::vector<std::int64_t>>& groups, group_facts& out) const {
    if (slice_[0] == 0) return;
    double most = 0;
    bool open = false;
    for (const std::vector<std::int64_t>& group : groups) {
      std::array<std::set<std::int64_t>, 3> places;
      for (const std::int64_t member : group) {
        const std::array<std::int64_t, 3> apart = way(number_of(group.front()), number_of(member));
        for (std::size_t axis = 0; axis < 3; ++axis) places[axis].insert(apart[axis]);
      }
      double own = 0;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        own += places[axis].size() > 2 ? 2 : places[axis].size() == 2 ? 1 : 0;
        open = open || (places[axis].size() > 1 && !closed_[axis]);
      }
      most = std::max(most, own);
    }
    if (knows_rings_) out.closed = !open;
    if (most > 0) out.most_directions = most;
  }

  // Groups of chips at distance s along one axis: s such groups share each link.
  std::int64_t groups_on_a_link(const std::vector<std::vector<std::int64_t>>& groups) const {
    std::int64_t members = 0, apart = 0;
    if (slice_[0] == 0) return 1;
    for (const std::vector<std::int64_t>& group : groups) {
      members += static_cast<std::int64_t>(group.size());
      if (group.size() < 2) return 1;
      std::vector<std::int64_t> devices;
      for (const std::int64_t member : group) devices.push_back(number_of(member));
      std::sort(devices.begin(), devices.end());
      if (devices.front() < 0 || devices.back() / per_chip_ >= slice_[0] * slice_[1] * slice_[2]) return 1;
      const std::array<std::int64_t, 3> step = way(devices[0], devices[1]);
      for (std::size_t k = 1; k < devices.size(); ++k)
        if (way(devices[k - 1], devices[k]) != step) return 1;
      const auto moved = std::ranges::count_if(step, [](std::int64_t n) { return n != 0; });
      const std::int64_t here = step[0] + step[1] + step[2];
      if (moved != 1 || (apart != 0 && here != apart)) return 1;
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
      std::map<std::int64_t, std::size_t> ways;
      for (const auto& [source, target] : decoded->pairs) {
        facts.moves = facts.moves || source != target;
        facts.crosses = facts.crosses || number_of(source) / domain_size_ != number_of(target) / domain_size_;
        if (source != target && source >= 0 && target >= 0)
          ++ways[number_of(target) / per_chip_ - number_of(source) / per_chip_];
      }
      for (const auto& [way, count] : ways)
        if (2 * count > decoded->pairs.size() || (decoded->pairs.size() == 2 && ways.size() == 1)) facts.distance = way;
    }
    return found->second;
  }

  /// The axes that an emitter such as `3DAllGatherOnMajorDim` names (time_model.md 3.4); 1 if it names none.
  static double all_gather_axes(std::string_view algorithm) {
    const std::string_view emitter = json_find(algorithm, "emitter").value_or(std::string_view{});
    const auto axes = leading_integer(emitter);
    const bool names_them = axes && *axes >= 1 && *axes <= 3 && emitter.substr(1).starts_with("DAllGather");
    return names_them ? static_cast<double>(*axes) : 1;
  }

  /// The directions of `collective_algorithm_config` (time_model.md 3.4): one for each color, at most two for each
  /// axis; 0 if it names no rings. A pincer sends both ways in one color.
  static double algorithm_directions(std::string_view algorithm) {
    const auto debug = json_find(algorithm, "debug"), emitter = json_find(algorithm, "emitter");
    const std::string_view text = debug.value_or(std::string_view{});
    const std::size_t strategy = text.find("Strategy");
    const auto number = [&](std::string_view key) {
      const std::size_t at = strategy == text.npos ? text.npos : text.find(key, strategy);
      return at == text.npos ? std::nullopt : leading_integer(text.substr(at + key.size()));
    };
    const auto colors = number("colors:"), phases = number("phases:");
    if (!colors || *colors <= 0) return 0;
    const bool pincer = emitter && emitter->find("Pincer") != std::string_view::npos;
    const std::int64_t axes = std::clamp<std::int64_t>(phases.value_or(1), 1, 3);
    return static_cast<double>(std::min(std::max<std::int64_t>(*colors, pincer ? 2 : 1), 2 * axes));
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

  group_decoder decoder_;
  std::int64_t domain_size_;
  std::int64_t devices_;               // of the module
  std::array<std::int64_t, 3> slice_;  // chips along the axes of its torus; zeros: not known
  bool knows_rings_;                   // which axes are closed
  std::array<bool, 3> closed_;
  std::int64_t per_chip_;          // devices
  std::vector<std::int64_t> ids_;  // of the device of each part of the program; empty: the same numbers
  std::map<std::pair<int, std::string_view>, group_facts> groups_;
  std::map<std::string_view, pair_facts> pairs_;
};

/// The kernel of XLA's own that its `kernel_strategy` chooses for a collective.
inline collective_kernel collective_kernel_of(hlo_instruction collective) {
  const std::string text = kernel_strategy_of(collective);
  return text.find("one") != text.npos   ? collective_kernel::one_shot
         : text.find("two") != text.npos ? collective_kernel::two_shot
                                         : collective_kernel::nccl;
}

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
      made_.push_back(time_of(transfer, i, groups));
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
      const transfer_time other = time_of(i, i, groups);
      sum.others.push_back(other.kind);
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

  /// `outer`: `i`, or the fusion or start that makes it.
  transfer_time time_of(hlo_instruction i, hlo_instruction outer, transfer_groups& groups) const {
    using enum hlo_opcode;
    const hlo_opcode kind = i.opcode() == copy_start ? copy : sources_.kind_of(i);
    if (!is_start_opcode(i.opcode()) && crosses_to_host(i)) return copy_time(device_, bytes_of(part_moved(i)), true);
    switch (kind) {
      case copy: {
        const shape* const from = shape_of_operand(i, 0);
        return copy_time(device_, from ? bytes_of(from) : bytes_of(part(i, 0)),
                         is_in_host(from) || is_in_host(part(i, 0)));
      }
      case send:
      case recv: {
        const shape* const data = kind == recv ? part(i, 0) : shape_of_operand(i, 0);
        transfer_time t = goes_between_slices(i) ? slice_time(device_, kind, bytes_of(data))
                          : get_boolean(i, attribute_key::is_host_transfer)
                              ? copy_time(device_, bytes_of(data), true)
                              : pair_time(device_, kind, bytes_of(data), groups.moves(i), groups.crosses(i));
        t.kind = kind;
        return t;
      }
      case collective_permute: {
        transfer_time t = pair_time(device_, kind, operand_bytes(i), groups.moves(i), groups.crosses(i));
        if (device_.is_tpu() && t.path == transfer_path::fast) t.link = groups.link(i);
        return t;
      }
      default: break;
    }
    const bool by_operands = kind == reduce_scatter || kind == all_to_all;
    // Each row of the first operand goes to at most one device; other operands are the result's buffer and counts.
    const double bytes = kind == ragged_all_to_all ? std::min(bytes_of(shape_of_operand(i, 0)), bytes_of(i.shape()))
                         : by_operands             ? operand_bytes(i)
                         : i.opcode() == all_gather_start ? bytes_of(part(i, 1))
                                                          : bytes_of(i.shape());
    return own_kernel_time(device_, collective_kernel_of(i),
                           collective_time(device_, kind, bytes, groups.extent(i),
                                           device_.is_tpu() ? groups.directions(i, outer, device_) : 0));
  }

  device device_;
  transfer_sources sources_;
  std::vector<id> times_;  // by instruction, into made_
  std::vector<transfer_time> made_;
};

}  // namespace hlolint
