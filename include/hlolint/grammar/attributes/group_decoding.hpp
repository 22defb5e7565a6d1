// From the text forms of replica groups to lists of devices (hlo_text.md 7).
#pragma once

#include <hlolint/grammar/attributes/attribute_rule.hpp>
#include <hlolint/grammar/attributes/devices.hpp>
#include <hlolint/ir/attribute_values.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hlolint::grammar::device_rules {

/// A part of an axis of a mesh: how many devices lie along it, and the distance between their numbers.
struct mesh_axis_part {
  std::int64_t size = 1, stride = 1;
};

/// The most devices for which replica groups are decoded, far more than any program runs on: an iota of a few bytes can
/// stand for any number of devices.
inline constexpr std::int64_t most_devices = std::int64_t{1} << 20;

inline std::optional<hlolint::replica_groups> decode_tiles(const groups_text& text) {
  const std::int64_t count = text.tiles[0], size = text.tiles[1];
  const auto devices = text.devices.size();
  if (count < 0 || size < 0 || !devices || *devices > most_devices) return std::nullopt;
  hlolint::replica_groups out{hlolint::replica_groups::form::iota, {}};
  if (count > most_devices) return std::nullopt;  // empty groups
  for (std::int64_t g = 0; g < count; ++g) {
    auto& group = out.groups.emplace_back();
    group.reserve(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) group.push_back(text.devices[g * size + i]);
  }
  return out;
}

/// Groups along the named axes of a mesh: the other axes, in the order of the mesh, number the groups.
inline std::optional<hlolint::replica_groups> decode_mesh(const groups_text& text) {
  hlolint::replica_groups out{hlolint::replica_groups::form::mesh, {}};
  const device_mesh& mesh = text.mesh;
  if (mesh.maximal_device) {
    out.groups = {{*mesh.maximal_device}};
    return out;
  }
  const auto devices = axis_product(mesh);
  if (!devices || *devices > most_devices) return std::nullopt;
  // Every axis becomes up to three parts: before, within and after its named part.
  std::vector<mesh_axis_part> within, others;
  std::vector<std::vector<mesh_axis_part>> named(text.axes.size());
  out.has_order = mesh.has_devices;
  for (const device_mesh::axis& axis : mesh.axes) out.axes.push_back({std::string(axis.name), axis.size, false});
  for (const axis_reference& r : text.axes)
    if (const auto at = find_axis(mesh, r.axis)) {
      out.axes[*at].inside = true;
      out.has_order = out.has_order || r.pre_size;
    }
  std::int64_t stride = *devices;
  for (std::size_t a = 0; a < mesh.axes.size(); ++a) {
    if (mesh.axes[a].size <= 0) return std::nullopt;
    std::int64_t from = 1;  // product of the parts of this axis so far
    const std::int64_t before = stride;
    // The named parts of one axis follow in the order of their pre-sizes.
    for (;;) {
      const axis_reference* next = nullptr;
      std::size_t next_at = 0;
      for (std::size_t k = 0; k < text.axes.size(); ++k) {
        const axis_reference& r = text.axes[k];
        if (find_axis(mesh, r.axis) != a || r.pre_size.value_or(1) < from || !named[k].empty()) continue;
        if (!next || r.pre_size.value_or(1) < next->pre_size.value_or(1)) next = &r, next_at = k;
      }
      if (!next) break;
      const std::int64_t pre = next->pre_size.value_or(1), size = next->pre_size ? next->size : mesh.axes[a].size;
      if (pre <= 0 || size <= 0 || pre % from != 0 || mesh.axes[a].size % (pre * size) != 0) return std::nullopt;
      if (pre != from) others.push_back({pre / from, before / pre});
      named[next_at] = {{size, before / (pre * size)}};
      from = pre * size;
    }
    stride = before / mesh.axes[a].size;
    if (mesh.axes[a].size / from > 1) others.push_back({mesh.axes[a].size / from, stride});
  }
  for (const auto& parts : named) within.insert(within.end(), parts.begin(), parts.end());
  // All sums of one step along each part; the last part varies fastest.
  const auto sums = [](const std::vector<mesh_axis_part>& parts) {
    std::vector<std::int64_t> all{0};
    for (const mesh_axis_part& part : parts) {
      std::vector<std::int64_t> next;
      for (const std::int64_t base : all)
        for (std::int64_t i = 0; i < part.size; ++i) next.push_back(base + i * part.stride);
      all = std::move(next);
    }
    return all;
  };
  const std::vector<std::int64_t> members = sums(within);
  for (const std::int64_t base : sums(others)) {
    auto& group = out.groups.emplace_back();
    for (const std::int64_t member : members)
      group.push_back(mesh.has_devices ? mesh.devices[base + member] : base + member);
  }
  return out;
}

/// Nothing if there are too many devices, or if a part of an axis does not divide the axis.
inline std::optional<hlolint::replica_groups> decode(groups_text&& text) {
  if (!text.tiles.empty()) return decode_tiles(text);
  if (!text.mesh.axes.empty() || text.mesh.maximal_device) return decode_mesh(text);
  return hlolint::replica_groups{hlolint::replica_groups::form::lists, std::move(text.lists)};
}

}  // namespace hlolint::grammar::device_rules

namespace hlolint::grammar {

template <>
inline constexpr auto attribute_rule<hlolint::replica_groups> =
    reads<replica_groups>("replica groups such as {{0,1}} or [2,4]<=[8]", &device_rules::decode);

}  // namespace hlolint::grammar
