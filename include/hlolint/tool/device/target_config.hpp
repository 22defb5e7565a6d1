// What the files beside a dump say of the device: `PREFIX.gpu_target_config.pbtxt`, `PREFIX.target_arguments.txt` and
// others (time_model.md 2).
#pragma once

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/grammar/proto/text_proto.hpp>
#include <hlolint/text/double_chars.hpp>
#include <hlolint/text/integer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
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

/// Reads the TPU from libtpu's `target_arguments.txt`: its generation, the chips of the slice along each axis, which of
/// these are closed, and the memory that programs must leave free. Nothing if the text is not such a file, or names no
/// known generation (time_model.md 2).
inline std::optional<device> read_target_arguments(std::string_view text) {
  const auto fields = read_text_proto(text);
  if (!fields) return std::nullopt;
  struct generation {
    std::string_view version, variant, preset;
  };
  // Those of v2 to v4 follow from the order of release; no dump of them was seen.
  constexpr generation generations[] = {
      {"TPU_VERSION_JELLYFISH", "", "tpu-v2"},  {"TPU_VERSION_DRAGONFISH", "", "tpu-v3"},
      {"TPU_VERSION_PUFFERFISH", "", "tpu-v4"}, {"TPU_VERSION_VIPERFISH", "lite", "tpu-v5e"},
      {"TPU_VERSION_VIPERFISH", "", "tpu-v5p"}, {"TPU_VERSION_GHOSTLITE", "", "tpu-v6e"},
      {"TPU_VERSION_6acc60406", "", "tpu-7x"}};
  std::string_view version, variant, message, part;
  std::array<std::int64_t, 3> in_host{}, hosts{};
  device_slice slice;
  std::int64_t reserved = 0;
  bool has_topology = false;
  for (const text_proto_field& field : *fields) {
    if (field.depth == 0) message = field.name;
    if (field.depth == 0 && field.name == "reserved_hbm_usage_bytes")
      reserved = std::max<std::int64_t>(integer_in(field.value).value_or(0), 0);
    if (message != "tpu_topology_args") continue;
    has_topology = true;
    if (field.depth == 1) part = field.name;
    if (field.depth == 1 && field.name == "version") version = field.value;
    if (field.depth == 1 && field.name == "variant") variant = field.value;
    if (field.depth != 2 || field.name.size() != 1 || field.name < "x" || field.name > "z") continue;
    const auto axis = static_cast<std::size_t>(field.name[0] - 'x');
    if (part == "wrap") slice.closed[axis] = field.value == "true";
    if (part == "chips_per_host_bounds") in_host[axis] = integer_in(field.value).value_or(0);
    if (part == "host_bounds") hosts[axis] = integer_in(field.value).value_or(0);
  }
  if (!has_topology) return std::nullopt;
  constexpr std::int64_t most = 1024;  // no torus has longer axes
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (in_host[axis] > 0 && hosts[axis] > 0 && in_host[axis] <= most && hosts[axis] <= most)
      slice.chips[axis] = in_host[axis] * hosts[axis];
  for (const generation& known : generations)
    if (known.version == version && known.variant == variant) {
      device d = *find_device(known.preset);
      const bool wraps = slice.closed[0] || slice.closed[1] || slice.closed[2];
      d.torus_wraps_from = wraps ? 1 : device::never;
      d.slice = std::move(slice);
      d.reserved_memory = reserved;
      return d;
    }
  return std::nullopt;
}

/// Reads the generation of a TPU from JAX's `topology.textproto`, `platform_version: "TFRT TPU v5 lite\nBuilt on ..."`.
/// Nothing for other devices.
inline std::optional<device> read_topology(std::string_view text) {
  const auto fields = read_text_proto(text);
  if (!fields) return std::nullopt;
  for (const text_proto_field& field : *fields) {
    constexpr std::string_view runtime = "TFRT ";
    if (field.depth != 0 || field.name != "platform_version" || !field.value.starts_with(runtime)) continue;
    const std::string_view version = field.value.substr(runtime.size());
    return find_device(version.substr(0, version.find('\\')));
  }
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
  std::size_t count = 0;
  for (const text_proto_field& field : *fields) {
    if (depth && field.depth <= *depth) break;
    if (!depth && (field.name == "device_assignment" || field.name == "static_device_assignment")) depth = field.depth;
    if (depth && field.depth == *depth + 1 && field.name == "computation_devices") by_partition.emplace_back();
    if (!depth || field.depth != *depth + 2 || field.name != "replica_device_ids" || by_partition.empty()) continue;
    const auto number = integer_in(field.value);
    if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max()) return {};
    by_partition.back().push_back(*number), ++count;
  }
  std::vector<std::int64_t> out(count);
  const std::size_t partitions = by_partition.size(), replicas = partitions == 0 ? 0 : by_partition.front().size();
  for (std::size_t p = 0; p < partitions; ++p) {
    if (by_partition[p].size() != replicas) return {};
    for (std::size_t r = 0; r < replicas; ++r) out[r * partitions + p] = by_partition[p][r];
  }
  return out;
}

}  // namespace hlolint
