// The groups and pairs of devices of transfers (scheduling.md 2).
#pragma once

#include <hlolint/analysis/program/instruction_parts.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

/// The meaning of the numbers in `replica_groups`.
enum class group_mode : std::uint8_t {
  cross_replica,                ///< replicas; equal groups in every partition
  cross_partition,              ///< partitions; equal groups in every replica
  cross_replica_and_partition,  ///< replicas; all their partitions belong to the group
  flattened_id                  ///< replica * num_partitions + partition
};

/// XLA's name: `cross_replica`, ...
constexpr std::string_view name_of(group_mode mode) {
  constexpr std::string_view names[] = {"cross_replica", "cross_partition", "cross_replica_and_partition",
                                        "flattened_id"};
  return names[static_cast<std::size_t>(mode)];
}

/// The decoded groups of a collective.
struct device_groups {
  group_mode mode = group_mode::cross_replica;     ///< the meaning of the numbers
  std::vector<std::vector<std::int64_t>> ids;      ///< as written; `{}` is spelled out
  std::vector<std::vector<std::int64_t>> devices;  ///< replica * num_partitions + partition

  /// The size of the biggest group; 1 means that nothing is transferred.
  std::size_t largest() const {
    std::size_t most = 0;
    for (const auto& group : devices) most = std::max(most, group.size());
    return most;
  }
};

/// The mode of a collective other than collective-permute; nothing for `use_global_device_ids=true` without
/// `channel_id`, which the verifier rejects. `collective` is the instruction with the attributes: for an async op the
/// wrapped one.
inline std::optional<group_mode> group_mode_of(hlo_instruction collective) {
  const bool channel = collective.has(attribute_key::channel_id);
  const bool global = get_boolean(collective, attribute_key::use_global_device_ids);
  switch (collective.opcode()) {
    using enum hlo_opcode;
    case all_gather:
    case all_gather_start:
    case all_reduce:
    case all_reduce_start:
    case collective_reduce:
    case reduce_scatter:
      if (global) return channel ? std::optional(group_mode::flattened_id) : std::nullopt;
      return channel ? group_mode::cross_replica_and_partition : group_mode::cross_replica;
    case all_to_all:
    case ragged_all_to_all:
    case collective_broadcast: return channel ? group_mode::cross_partition : group_mode::cross_replica;
    default: return std::nullopt;
  }
}

/// Decodes groups into devices. Nothing if they are illegal in their mode, or the module claims more than a million
/// devices.
inline std::optional<device_groups> device_groups_of(const replica_groups& written, group_mode in,
                                                     const hlo_module& module) {
  const std::int64_t replicas = module.replica_count(), partitions = module.num_partitions();
  const auto count = checked_multiply(replicas, partitions);
  if (replicas < 1 || partitions < 1 || !count || *count > 1'000'000) return std::nullopt;

  device_groups out;
  out.mode = in;
  out.ids = written.groups;
  const std::int64_t limit = in == group_mode::flattened_id      ? *count
                             : in == group_mode::cross_partition ? partitions
                                                                 : replicas;
  if (out.ids.empty()) {
    if (in == group_mode::flattened_id) return std::nullopt;
    auto& everything = out.ids.emplace_back();
    for (std::int64_t i = 0; i < limit; ++i) everything.push_back(i);
  }
  std::size_t named = 0;
  for (const auto& group : out.ids) {
    named += group.size();
    for (const std::int64_t i : group)
      if (i < 0 || i >= limit) return std::nullopt;
  }
  if (named > static_cast<std::size_t>(limit)) return std::nullopt;  // a device appears twice

  const auto add = [&](const std::vector<std::int64_t>& group, auto&& device) {
    auto& devices = out.devices.emplace_back();
    for (const std::int64_t i : group) devices.push_back(device(i));
  };
  for (const auto& group : out.ids) switch (in) {
      case group_mode::flattened_id: add(group, [](std::int64_t i) { return i; }); break;
      case group_mode::cross_replica:
        for (std::int64_t p = 0; p < partitions; ++p) add(group, [&](std::int64_t i) { return i * partitions + p; });
        break;
      case group_mode::cross_partition:
        for (std::int64_t r = 0; r < replicas; ++r) add(group, [&](std::int64_t i) { return r * partitions + i; });
        break;
      case group_mode::cross_replica_and_partition: {
        auto& devices = out.devices.emplace_back();
        for (const std::int64_t i : group)
          for (std::int64_t p = 0; p < partitions; ++p) devices.push_back(i * partitions + p);
      }
    }
  return out;
}

/// The decoded groups of a collective other than collective-permute; nothing if there are none, or `device_groups_of`
/// gives nothing. For many collectives of a module use `module_groups`.
inline std::optional<device_groups> find_device_groups(hlo_instruction collective, const hlo_module& module) {
  const auto mode = group_mode_of(collective);
  const auto written = mode ? get<replica_groups>(collective) : std::nullopt;
  return written ? device_groups_of(*written, *mode, module) : std::nullopt;
}

/// Decodes the groups of many collectives of a module, up to `most` devices and groups in all: an iota of a few bytes
/// can name any number.
class group_decoder {
 public:
  /// The most devices and groups that are decoded for a module.
  static constexpr std::size_t most = std::size_t{1} << 22;
  /// For the collectives of a module.
  explicit group_decoder(hlo_module of) : module_(std::move(of)) {}

  /// Whether the limit is reached.
  bool is_spent() const { return left_ == 0; }
  /// The devices of a collective by group; the numbers as written if they have no meaning in the module; empty if there
  /// are none or the limit is reached.
  std::vector<std::vector<std::int64_t>> of(hlo_instruction collective) {
    std::vector<std::vector<std::int64_t>> out;
    if (is_spent()) return out;
    if (auto decoded = find_device_groups(collective, module_))
      out = std::move(decoded->devices);
    else if (auto listed = get<replica_groups>(collective))
      out = std::move(listed->groups);
    spend(out);
    return out;
  }
  /// Counts groups against the limit.
  void spend(const std::vector<std::vector<std::int64_t>>& groups) {
    for (const auto& group : groups) left_ -= std::min(left_, group.size() + 1);
  }

 private:
  hlo_module module_;
  std::size_t left_ = most;
};

using device_pair = std::pair<std::int64_t, std::int64_t>;  ///< source and target

/// A device in more pairs, as source or as target, than allowed.
struct repeated_device {
  std::int64_t device = 0;  ///< its number
  bool as_source = false;   ///< otherwise as target
  friend bool operator==(const repeated_device&, const repeated_device&) = default;
};

/// The first device that is source, or target, of more than `allowed` pairs.
inline std::optional<repeated_device> find_repeated_device(const std::vector<device_pair>& pairs,
                                                           std::size_t allowed = 1) {
  std::map<std::int64_t, std::size_t> sources, targets;
  for (const auto& [source, target] : pairs) {
    if (++sources[source] > allowed) return repeated_device{source, true};
    if (++targets[target] > allowed) return repeated_device{target, false};
  }
  return std::nullopt;
}

/// Whether the pairs, followed from source to target, contain a cycle; a pair of a device with itself is one.
inline bool has_cycle(const std::vector<device_pair>& pairs) {
  // Removes devices that receive nothing, with what they send, until only cycles are left.
  std::map<std::int64_t, std::size_t> incoming;
  std::multimap<std::int64_t, std::int64_t> edges(pairs.begin(), pairs.end());
  for (const auto& [source, target] : pairs) incoming[source], ++incoming[target];
  std::vector<std::int64_t> open;
  for (const auto& [device, count] : incoming)
    if (count == 0) open.push_back(device);
  std::size_t removed = 0;
  while (!open.empty()) {
    const std::int64_t device = open.back();
    open.pop_back();
    ++removed;
    for (auto [at, last] = edges.equal_range(device); at != last; ++at)
      if (--incoming[at->second] == 0) open.push_back(at->second);
  }
  return removed != incoming.size();
}

/// The sets of devices that pairs connect, each sorted, ordered by smallest device. Devices in no pair are in no set.
inline std::vector<std::vector<std::int64_t>> connected_devices(const std::vector<device_pair>& pairs) {
  std::map<std::int64_t, std::size_t> numbers;  // of devices
  for (const auto& [source, target] : pairs)
    for (const std::int64_t device : {source, target}) numbers.try_emplace(device, numbers.size());
  disjoint_sets joined(numbers.size());
  for (const auto& [source, target] : pairs) joined.merge(numbers[source], numbers[target]);
  std::vector<std::vector<std::int64_t>> sets;
  std::map<std::size_t, std::size_t> set_of;
  for (const auto& [device, number] : numbers) {  // ascending, and so are the sets
    const auto [set, is_new] = set_of.try_emplace(joined.find(number), sets.size());
    if (is_new) sets.emplace_back();
    sets[set->second].push_back(device);
  }
  return sets;
}

/// The pairs of a send or recv, from `_xla_send_recv_source_target_pairs`.
inline std::optional<source_target_pairs> send_recv_pairs(hlo_instruction transfer) {
  const auto text = frontend_value(transfer, "_xla_send_recv_source_target_pairs");
  return text ? value_from_text<source_target_pairs>(*text) : std::nullopt;
}

/// Whether a send or recv belongs to a pipelined loop, so that its other half may stand before, in or after the loop.
inline bool is_pipelined_send_recv(hlo_instruction transfer) {
  return frontend_value(transfer, "_xla_send_recv_pipeline").has_value();
}

/// `{{0,1},{1,0}}`; no more than `most` pairs.
inline std::string pairs_text(const std::vector<device_pair>& pairs, std::size_t most = 8) {
  std::string out = "{";
  for (std::size_t i = 0; i < pairs.size() && i < most; ++i)
    out += (i ? ",{" : "{") + std::to_string(pairs[i].first) + ',' + std::to_string(pairs[i].second) + '}';
  return out + (pairs.size() > most ? ",...}" : "}");
}

}  // namespace hlolint
