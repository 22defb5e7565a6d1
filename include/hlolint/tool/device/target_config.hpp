// What the files beside a dump state about the device: `PREFIX.gpu_target_config.pbtxt`, `PREFIX.target_arguments.txt`
// and others (time_model.md 2).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/integer.hpp>
#include <hlolint/tool/device/text_proto.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hlolint {

namespace detail {

/// The rates of one kind of units, by XLA's number of the element type: operations per second of all units of a core.
using unit_rates = std::map<int, double>;

struct target_description {
  std::map<std::string_view, std::string_view> device;  ///< scalar fields of `gpu_device_info`
  unit_rates scalar_units, matrix_units;
  bool cuda = false;
  double links = 0;
};

inline double proto_number(std::string_view text) {
  double value = 0;
  const auto end = double_from_chars(text.data(), text.data() + text.size(), value);
  return end.ec == std::errc{} && value >= 0 && value <= 1e18 ? value : 0;  // no machine has more
}

inline target_description describe_target(const std::vector<text_proto_field>& fields) {
  target_description out;
  std::vector<std::string_view> path;
  int key = 0;
  double rate = 0;
  for (const text_proto_field& field : fields) {
    path.resize(static_cast<std::size_t>(field.depth));
    const bool in_device = !path.empty() && path[0] == "gpu_device_info";
    if (in_device && path.size() == 1) out.device.try_emplace(field.name, field.value);
    if (in_device && field.name == "cuda_compute_capability") out.cuda = true;
    if (path.size() == 2 && path[1] == "device_interconnect_info" && field.name == "active_links")
      out.links = proto_number(field.value);
    if (path.size() == 3 && field.name == "key")
      key = static_cast<int>(std::min(1e6, proto_number(field.value))), rate = 2;
    if (path.size() == 4 && path[3] == "value") {
      // Units, operations per unit and cycle, and clock rate, in any order; a fused multiply-add is two operations.
      rate *= proto_number(field.value) * (field.name == "clock_rate_ghz" ? 1e9 : 1);
      (path[1] == "matrix_unit_description" ? out.matrix_units : out.scalar_units)[key] = rate;
    }
    path.push_back(field.name);
  }
  return out;
}

/// The preset for links and efficiencies, by the device's name in its driver.
inline std::string_view preset_of(std::string_view model, bool cuda) {
  constexpr std::pair<std::string_view, std::string_view> models[] = {
      {"GB200", "gb200"},         {"GB300", "gb200"},   {"B200", "b200"},
      {"B300", "b200"},           {"H200", "h200"},     {"GH200", "h200"},
      {"H100 PCIe", "h100-pcie"}, {"H100", "h100-sxm"}, {"A100-SXM4-40", "a100-40"},
      {"A100", "a100-80"},        {"V100", "v100"},     {"MI250", "mi250x"},
      {"MI300", "mi300x"},        {"MI325", "mi325x"},  {"MI350", "mi355x"},
      {"MI355", "mi355x"}};
  for (const auto& [part, preset] : models)
    if (model.find(part) != model.npos) return preset;
  return cuda ? "h100-sxm" : "mi300x";
}

}  // namespace detail

/// Reads the device from such a file: rates and memory from the file, links and efficiencies from the preset of the
/// model (or of a common one). Nothing if the text is not such a file.
inline std::optional<device> read_target_config(std::string_view text) {
  const auto fields = read_text_proto(text);
  if (!fields) return std::nullopt;
  const detail::target_description found = detail::describe_target(*fields);
  const auto number = [&](std::string_view name) {
    const auto field = found.device.find(name);
    return field == found.device.end() ? 0 : detail::proto_number(field->second);
  };
  if (number("memory_bandwidth") <= 0) return std::nullopt;
  const auto name = found.device.find("name");
  const std::string_view model = name == found.device.end() ? std::string_view{} : name->second;
  device d = *find_device(detail::preset_of(model, found.cuda));
  d.name = model.empty() ? "the device of the target configuration" : std::string(model);
  d.memory_rate = number("memory_bandwidth");
  if (const double size = number("device_memory_size"); size > 0) d.memory_size = static_cast<std::int64_t>(size);
  if (const double clock = number("clock_rate_ghz"); clock > 0) d.clock = clock * 1e9;
  const double cores = number("core_count");
  const auto set = [&](double& rate, const detail::unit_rates& units, int key) {
    const auto unit = units.find(key);
    if (unit != units.end() && unit->second * cores > 0) rate = unit->second * cores;
  };
  // Numbers of XLA's element types: 10 = f16, 11 = f32, 12 = f64, 16 = bf16, 20 = f8e4m3fn.
  set(d.f16_flops, found.matrix_units, 10), set(d.f16_flops, found.matrix_units, 16);
  set(d.f8_flops, found.matrix_units, 20), set(d.f32_flops, found.matrix_units, 11);
  set(d.f64_flops, found.matrix_units, 12), set(d.vector_ops, found.scalar_units, 11);
  if (found.cuda && found.links <= 0 && d.fabric == fabric::nvlink_switch) {  // no NVLink
    d.fabric = fabric::pcie;
    d.bus_rate = d.pair_rate = find_device("h100-pcie")->bus_rate;
  }
  return d;
}

namespace detail {

/// What libtpu's `target_arguments` state, as text or as a message.
struct tpu_arguments {
  std::string_view version, variant;
  std::array<std::int64_t, 3> in_host{}, hosts{};  ///< chips of a host, and hosts, along x, y and z
  std::array<bool, 3> closed{};
  std::int64_t reserved = 0;  ///< bytes of HBM that programs must leave free
};

/// libtpu's versions by their number in messages.
inline constexpr std::array<std::string_view, 7> tpu_versions{"",
                                                              "TPU_VERSION_JELLYFISH",
                                                              "TPU_VERSION_DRAGONFISH",
                                                              "TPU_VERSION_PUFFERFISH",
                                                              "TPU_VERSION_VIPERFISH",
                                                              "TPU_VERSION_GHOSTLITE",
                                                              "TPU_VERSION_6acc60406"};

/// The TPU of these arguments: its generation, the chips of the slice along each axis, which of these are closed, and
/// the memory that programs must leave free. Nothing if they name no known generation.
inline std::optional<device> device_of(const tpu_arguments& arguments) {
  struct generation {
    std::string_view version, variant, preset;
  };
  // Those of v2 and v3 follow from the order of release; no dump of them was seen.
  constexpr generation generations[] = {{tpu_versions[1], "", "tpu-v2"},  {tpu_versions[2], "", "tpu-v3"},
                                        {tpu_versions[3], "", "tpu-v4"},  {tpu_versions[4], "lite", "tpu-v5e"},
                                        {tpu_versions[4], "", "tpu-v5p"}, {tpu_versions[5], "", "tpu-v6e"},
                                        {tpu_versions[6], "", "tpu-7x"}};
  const auto known = std::find_if(std::begin(generations), std::end(generations), [&](const generation& g) {
    return g.version == arguments.version && g.variant == arguments.variant;
  });
  if (known == std::end(generations)) return std::nullopt;
  device d = *find_device(known->preset);
  constexpr std::int64_t most = 1024;  // no torus has longer axes
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t in_host = arguments.in_host[axis], hosts = arguments.hosts[axis];
    if (in_host > 0 && hosts > 0 && in_host <= most && hosts <= most) d.slice.chips[axis] = in_host * hosts;
  }
  d.slice.closed = arguments.closed;
  d.torus_wraps_from = arguments.closed == std::array<bool, 3>{} ? device::never : 1;
  d.reserved_memory = arguments.reserved;
  return d;
}

/// Devices at replica * partitions + partition, from the replicas of each partition. Empty unless it is complete.
inline std::vector<std::int64_t> in_order_of_replicas(const std::vector<std::vector<std::int64_t>>& by_partition) {
  const std::size_t partitions = by_partition.size(), replicas = partitions == 0 ? 0 : by_partition.front().size();
  std::vector<std::int64_t> out(partitions * replicas);
  for (std::size_t p = 0; p < partitions; ++p) {
    if (by_partition[p].size() != replicas) return {};
    for (std::size_t r = 0; r < replicas; ++r) {
      const std::int64_t id = by_partition[p][r];
      if (id < 0 || id > std::numeric_limits<std::int32_t>::max()) return {};
      out[r * partitions + p] = id;
    }
  }
  return out;
}

}  // namespace detail

/// Reads the TPU from libtpu's `target_arguments.txt`. Nothing if the text is not such a file, or names no known
/// generation (time_model.md 2).
inline std::optional<device> read_target_arguments(std::string_view text) {
  const auto fields = read_text_proto(text);
  if (!fields) return std::nullopt;
  detail::tpu_arguments out;
  std::string_view message, part;
  bool has_topology = false;
  for (const text_proto_field& field : *fields) {
    if (field.depth == 0) message = field.name;
    if (field.depth == 0 && field.name == "reserved_hbm_usage_bytes")
      out.reserved = std::max<std::int64_t>(integer_in(field.value).value_or(0), 0);
    if (message != "tpu_topology_args") continue;
    has_topology = true;
    if (field.depth == 1) part = field.name;
    if (field.depth == 1 && field.name == "version") out.version = field.value;
    if (field.depth == 1 && field.name == "variant") out.variant = field.value;
    if (field.depth != 2 || field.name.size() != 1 || field.name < "x" || field.name > "z") continue;
    const auto axis = static_cast<std::size_t>(field.name[0] - 'x');
    if (part == "wrap") out.closed[axis] = field.value == "true";
    if (part == "chips_per_host_bounds") out.in_host[axis] = integer_in(field.value).value_or(0);
    if (part == "host_bounds") out.hosts[axis] = integer_in(field.value).value_or(0);
  }
  return has_topology ? detail::device_of(out) : std::nullopt;
}

/// The TPU that a runtime names itself after: `TFRT TPU v5 lite\nBuilt on ...`. Nothing for other devices.
inline std::optional<device> device_of_runtime(std::string_view version) {
  constexpr std::string_view runtime = "TFRT ";
  if (!version.starts_with(runtime)) return std::nullopt;
  version.remove_prefix(runtime.size());
  return find_device(version.substr(0, version.find_first_of("\\\n")));
}

/// Reads the generation of a TPU from JAX's `topology.textproto`. Nothing for other devices.
inline std::optional<device> read_topology(std::string_view text) {
  const auto fields = read_text_proto(text);
  if (!fields) return std::nullopt;
  for (const text_proto_field& field : *fields)
    if (field.depth == 0 && field.name == "platform_version")
      if (auto found = device_of_runtime(field.value)) return found;
  return std::nullopt;
}

/// Reads which device runs each part of a program, at replica * partitions + partition, from the message
/// `device_assignment` of libtpu's `execution_options.txt` and of JAX's `compile_options.textproto`, or
/// `static_device_assignment` of a module's configuration. Empty if the text has none that is complete.
inline std::vector<std::int64_t> read_device_assignment(std::string_view text) {
  if (text.find("device_assignment") == std::string_view::npos) return {};  // as in most configurations
  const auto fields = read_text_proto(text);
  if (!fields) return {};
  std::vector<std::vector<std::int64_t>> by_partition;
  std::optional<int> depth;  // of the message that is read
  for (const text_proto_field& field : *fields) {
    if (depth && field.depth <= *depth) break;
    if (!depth && (field.name == "device_assignment" || field.name == "static_device_assignment")) depth = field.depth;
    if (depth && field.depth == *depth + 1 && field.name == "computation_devices") by_partition.emplace_back();
    if (!depth || field.depth != *depth + 2 || field.name != "replica_device_ids" || by_partition.empty()) continue;
    by_partition.back().push_back(integer_in(field.value).value_or(-1));
  }
  return detail::in_order_of_replicas(by_partition);
}

}  // namespace hlolint
