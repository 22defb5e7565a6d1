// The same as in target_config.hpp where XLA wrote messages (--xla_dump_hlo_as_proto): `PREFIX.target_arguments.pb`,
// `PREFIX/topology.pb`, `PREFIX.execution_options.pb` and `PREFIX/compile_options.pb`.
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/tool/device/target_config.hpp>
#include <hlolint/tool/protobuf/reading.hpp>
#include <hlolint/tool/protobuf/wire.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// As `read_target_arguments`.
inline std::optional<device> read_target_arguments_message(std::string_view bytes) {
  std::optional<device> out;
  protobuf::reading("TargetArguments", 0).guarded([&] {
    const protobuf::message arguments(bytes);
    const protobuf::message topology(arguments.bytes(6));
    detail::tpu_arguments found;
    if (const auto number = static_cast<std::size_t>(topology.number(1)); number < detail::tpu_versions.size())
      found.version = detail::tpu_versions[number];
    found.variant = topology.text(2);
    const protobuf::message in_host(topology.bytes(5)), hosts(topology.bytes(6)), wrap(topology.bytes(7));
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      found.in_host[axis] = in_host.number(axis + 1), found.hosts[axis] = hosts.number(axis + 1);
      found.closed[axis] = wrap.flag(axis + 1);
    }
    found.reserved = std::max<std::int64_t>(arguments.number(4), 0);
    out = detail::device_of(found);
  });
  return out;
}

/// As `read_topology`.
inline std::optional<device> read_topology_message(std::string_view bytes) {
  std::optional<device> out;
  protobuf::reading("PjRtTopologyDescription", 0).guarded([&] {
    out = device_of_runtime(protobuf::text_field(bytes, 3));
  });
  return out;
}

/// As `read_device_assignment`, of the message to which these fields lead: 7 of libtpu's ExecutionOptions, 3 and 9 of
/// JAX's CompileOptionsProto.
inline std::vector<std::int64_t> read_device_assignment_message(std::string_view bytes,
                                                                std::initializer_list<std::uint32_t> fields) {
  std::vector<std::vector<std::int64_t>> by_partition;
  const bool whole = protobuf::reading("DeviceAssignmentProto", 0).guarded([&] {
    for (const std::uint32_t tag : fields) bytes = protobuf::text_field(bytes, tag);
    for (const std::string_view partition : protobuf::message(bytes).all(3))
      by_partition.push_back(protobuf::message(partition).numbers(1));
  });
  return whole ? detail::in_order_of_replicas(by_partition) : std::vector<std::int64_t>{};
}

}  // namespace hlolint
