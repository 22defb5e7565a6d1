// Which devices take part in a collective together (scheduling.md 2).
#pragma once

#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hlolint {

/// What the numbers in `replica_groups` are.
enum class group_mode : std::uint8_t {
  cross_replica,                ///< replicas; the same groups in every partition
  cross_partition,              ///< partitions; the same groups in every replica
  cross_replica_and_partition,  ///< replicas; all their partitions belong to the group
  flattened_id                  ///< replica * num_partitions + partition
};

/// As XLA names it: `cross_replica`, ...
constexpr std::string_view name_of(group_mode mode) {
  constexpr std::string_view names[] = {"cross_replica", "cross_partition", "cross_replica_and_partition",
                                        "flattened_id"};
  return names[static_cast<std::size_t>(mode)];
}

/// A collective's groups, decoded.
struct device_groups {
  group_mode mode = group_mode::cross_replica;  ///< what the numbers are
  record_list<record_list<std::int64_t>> ids;   ///< as written; `{}` is spelled out
  record_list<record_list<std::int64_t>> devices;  ///< replica * num_partitions + partition

  /// Devices of the biggest group; 1 means that nothing is transferred.
  std::size_t largest() const {
    std::size_t most = 0;
    for (const auto& group : devices) most = std::max(most, group.size());
    return most;
  }
};

/// The mode of a collective other than collective-permute; nothing for what the verifier refuses
/// (`use_global_device_ids=true` without `channel_id`). `collective` is the instruction with the attributes: for an
/// async op the wrapped one.
inline optional<group_mode> group_mode_of(hlo_instruction collective) {
  const bool channel = collective.has(attribute_key::channel_id);
  const bool global = get_boolean(collective, attribute_key::use_global_device_ids);
  switch (collective.opcode()) {
    using enum hlo_opcode;
    case all_gather: case all_gather_start: case all_reduce: case all_reduce_start: case reduce_scatter:
      if (global) return channel ? optional(group_mode::flattened_id) : std::nullopt;
      return channel ? group_mode::cross_replica_and_partition : group_mode::cross_replica;
    case all_to_all: case ragged_all_to_all: case collective_broadcast:
      return channel ? group_mode::cross_partition : group_mode::cross_replica;
    default: return std::nullopt;
  }
}

/// Decoded groups by device. Nothing if they are illegal in their mode, or if the module claims more than a million
/// devices.
inline optional<device_groups> device_groups_of(const replica_groups& written, group_mode in,
                                                const hlo_module& module) {
  const std::int64_t replicas = module.replica_count(), partitions = module.num_partitions();
  const auto count = checked_multiply(replicas, partitions);
  if (replicas < 1 || partitions < 1 || !count || *count > 1'000'000) return std::nullopt;

  device_groups out;
  out.mode = in;
  out.ids = written.groups;
  if (out.ids.empty()) {
    if (in == group_mode::flattened_id) return std::nullopt;
    auto& everything = out.ids.emplace_back();
    const std::int64_t limit = in == group_mode::cross_partition ? partitions : replicas;
    for (std::int64_t i = 0; i < limit; ++i) everything.push_back(i);
  }
  const std::int64_t limit = in == group_mode::flattened_id      ? *count
                             : in == group_mode::cross_partition ? partitions
                                                                 : replicas;
  std::size_t named = 0;
  for (const auto& group : out.ids) {
    named += group.size();
    for (const std::int64_t i : group)
      if (i < 0 || i >= limit) return std::nullopt;
  }
  if (named > static_cast<std::size_t>(limit)) return std::nullopt;  // a device is there twice

  const auto add = [&](const record_list<std::int64_t>& group, auto&& device) {
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

/// Groups of a collective other than collective-permute; nothing if there are none, or where `device_groups_of` gives
/// nothing. For many collectives of a module see module_groups.hpp.
inline optional<device_groups> find_device_groups(hlo_instruction collective, const hlo_module& module) {
  const auto mode = group_mode_of(collective);
  const auto written = mode ? get<replica_groups>(collective) : std::nullopt;
  return written ? device_groups_of(*written, *mode, module) : std::nullopt;
}

}  // namespace hlolint
