// The axes of the program's device mesh along which its transfers move data.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/transfers/device_groups.hpp>
#include <hlolint/analysis/transfers/module_groups.hpp>
#include <hlolint/grammar/attributes/get.hpp>
#include <hlolint/ir/attribute_values.hpp>
#include <hlolint/ir/module.hpp>
#include <hlolint/ir/sharding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hlolint {

/// The names of the axes. XLA writes a mesh with its axes in some `replica_groups` or shardings of a module, and lists
/// or iotas of devices in others: if one names the mesh, the groups of all are found among those along its axes. In a
/// module without names the axes follow from the numbers of the devices in its groups.
class mesh_axes {
 public:
  /// O(n log n) in the groups of the module.
  explicit mesh_axes(const hlo_module& module) : groups_(module) {
    for (const hlo_instruction i : module.instructions()) {
      if (!is_collective(i.opcode())) continue;
      const auto written = may_hold(i, attribute_key::replica_groups, "mesh") ? get<replica_groups>(i) : std::nullopt;
      if (!written || written->axes.empty()) continue;
      std::string inside;
      for (const replica_groups::axis& axis : written->axes)
        if (axis.inside && axis.size > 1) inside += (inside.empty() ? "" : ", ") + axis.name;
      names_.try_emplace(sorted(written->groups), inside.empty() ? "(one device)" : inside);
      if (!written->has_order) add_mesh(named_axes(written->axes));
    }
    for (const hlo_instruction i : module.instructions())
      if (may_hold(i, attribute_key::sharding, "mesh['"))
        if (const auto how = get<sharding>(i); how && !how->mesh.has_devices) add_mesh(named_axes(how->mesh.axes));
    if (names_.empty()) has_no_names_ = true, add_mesh(axes_of_groups(module));
  }

  /// `fsdp`, or `fsdp, tensor` for a group that spans both; without names `4 devices 2 apart`, or `all 8 devices`; the
  /// devices, as in `{0,4,8,12} and 3 more`, if they lie along no axes.
  /// `transfer` has the opcode and the attributes of the transfer. Empty if the devices are not known.
  std::string of(hlo_instruction transfer) const {
    if (!transfer) return {};
    if (transfer.has(attribute_key::source_target_pairs)) {
      const auto pairs = get<source_target_pairs>(transfer);
      if (!pairs) return {};
      group_list groups = connected_devices(pairs->pairs);
      // Devices that take no part are no groups.
      const auto lone = [](const std::vector<std::int64_t>& group) { return group.size() < 2; };
      if (!std::all_of(groups.begin(), groups.end(), lone)) std::erase_if(groups, lone);
      return text_of(groups);
    }
    if (const device_groups* const found = groups_.devices_of(transfer)) return text_of(found->devices);
    const auto written = get<replica_groups>(transfer);  // numbers without a meaning in the header
    return written ? text_of(written->groups) : std::string{};
  }

 private:
  using group_list = std::vector<std::vector<std::int64_t>>;
  using axis_list = std::vector<std::pair<std::string, std::int64_t>>;  // names and sizes, most major first
  static constexpr std::size_t most_axes = 6, most_listed = 4;
  static constexpr std::int64_t most_devices = 1 << 16;

  static group_list sorted(group_list groups) {
    for (auto& group : groups) std::sort(group.begin(), group.end());
    std::sort(groups.begin(), groups.end());
    return groups;
  }

  template <class Axes>
  static axis_list named_axes(const Axes& axes) {
    axis_list out;
    for (const auto& axis : axes) out.emplace_back(std::string(axis.name), axis.size);
    return out;
  }

  // The distance between neighbors if all groups have it, are equally large and hold all devices; else 0.
  static std::int64_t distance_in(const group_list& groups, std::int64_t devices) {
    const std::size_t size = groups.front().size();
    const std::int64_t apart = size < 2 ? 0 : groups.front()[1] - groups.front()[0];
    if (size * groups.size() != static_cast<std::size_t>(devices)) return 0;
    for (const std::vector<std::int64_t>& group : groups) {
      if (group.size() != size) return 0;
      for (std::size_t k = 1; k < size; ++k)
        if (group[k] - group[k - 1] != apart) return 0;
    }
    return apart;
  }
  // The axes whose groups are all that lie evenly apart; none if they fit in no one mesh.
  axis_list axes_of_groups(const hlo_module& module) {
    const auto devices = checked_multiply(module.replica_count(), module.num_partitions());
    if (!devices || *devices < 2 || *devices > most_devices) return {};
    std::set<std::int64_t> bounds{1, *devices};  // the number of devices along all axes behind another one
    for (const hlo_instruction i : module.instructions()) {
      const device_groups* const found = is_collective(i.opcode()) ? groups_.devices_of(i) : nullptr;
      if (!found || found->devices.empty()) continue;
      const group_list groups = sorted(found->devices);
      if (const std::int64_t apart = distance_in(groups, *devices); apart > 0)
        bounds.insert({apart, apart * static_cast<std::int64_t>(groups.front().size())});
    }
    axis_list out;
    std::int64_t before = 0;
    for (const std::int64_t bound : bounds) {
      if (before > 0 && bound % before != 0) return {};
      if (before > 0) out.emplace_back(std::to_string(before), bound / before);  // named by distances_of
      before = bound;
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

  // `8 neighbors`, `2 devices 4 apart`: axes without names, those that follow each other as one.
  static std::string distances_of(const axis_list& axes, unsigned set, std::int64_t devices) {
    std::string out;
    std::int64_t apart = devices, size = 1, here = devices;  // of the axes that follow each other
    const auto add = [&] {
      if (size == 1) return;
      const std::string text = std::to_string(size);
      out += (out.empty() ? "" : ", ") + (size == devices ? "all " + text + " devices"
                                          : apart == 1    ? text + " neighbors"
                                                          : text + " devices " + std::to_string(apart) + " apart");
      size = 1;
    };
    for (std::size_t a = 0; a < axes.size(); ++a) {
      here /= axes[a].second;
      if ((set >> a & 1) != 0)
        size *= axes[a].second, apart = here;
      else
        add();
    }
    add();
    return out;
  }

  // The groups along all sets of axes of a mesh, fewer axes first.
  void add_mesh(const axis_list& mesh) {
    axis_list axes;
    std::int64_t devices = 1;
    for (const auto& axis : mesh) {
      if (axis.second <= 1) continue;
      const auto product = checked_multiply(devices, axis.second);
      if (!product || *product > most_devices) return;
      axes.push_back(axis), devices = *product;
    }
    if (axes.empty() || axes.size() > most_axes || std::find(meshes_.begin(), meshes_.end(), axes) != meshes_.end())
      return;
    meshes_.push_back(axes);
    std::vector<unsigned> sets;
    for (unsigned set = 1; set < 1u << axes.size(); ++set) sets.push_back(set);
    std::stable_sort(sets.begin(), sets.end(), [](unsigned a, unsigned b) { return count_of(a) < count_of(b); });
    for (const unsigned set : sets) {
      std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> by_rest;  // by place along the other axes
      std::string name;
      for (std::int64_t d = 0; d < devices; ++d) {
        std::vector<std::int64_t> rest;
        std::int64_t left = d;
        for (std::size_t a = axes.size(); a-- > 0; left /= axes[a].second)
          if ((set >> a & 1) == 0) rest.push_back(left % axes[a].second);
        by_rest[rest].push_back(d);
      }
      if (has_no_names_) name = distances_of(axes, set, devices);
      for (std::size_t a = 0; a < axes.size() && !has_no_names_; ++a)
        if ((set >> a & 1) != 0) name += (name.empty() ? "" : ", ") + axes[a].first;
      group_list groups;
      for (auto& [rest, group] : by_rest) groups.push_back(std::move(group));
      names_.try_emplace(sorted(std::move(groups)), std::move(name));
    }
  }
  static constexpr int count_of(unsigned set) {
    int count = 0;
    for (; set != 0; set &= set - 1) ++count;
    return count;
  }

  std::string text_of(const group_list& written) const {
    if (written.empty()) return {};
    const group_list groups = sorted(written);
    if (const auto found = names_.find(groups); found != names_.end()) return found->second;
    // Pairs may join only some of the devices of a group.
    for (const auto& [along, name] : names_)
      if (count_of(name) == 1 && !(has_no_names_ && along.size() == 1) && are_within(groups, along)) return name;
    std::string out = "{";
    const std::vector<std::int64_t>& first = groups.front();
    for (std::size_t k = 0; k < first.size() && k < most_listed; ++k)
      out += (k > 0 ? "," : "") + std::to_string(first[k]);
    out += first.size() > most_listed ? ",...} of " + std::to_string(first.size()) : "}";
    return groups.size() > 1 ? out + " and " + std::to_string(groups.size() - 1) + " more" : out;
  }
  static std::size_t count_of(const std::string& name) {
    return 1 + static_cast<std::size_t>(std::count(name.begin(), name.end(), ','));
  }
  static bool are_within(const group_list& some, const group_list& wholes) {
    return std::all_of(some.begin(), some.end(), [&](const std::vector<std::int64_t>& group) {
      return std::any_of(wholes.begin(), wholes.end(), [&](const std::vector<std::int64_t>& whole) {
        return std::includes(whole.begin(), whole.end(), group.begin(), group.end());
      });
    });
  }

  module_groups groups_;
  std::map<group_list, std::string> names_;
  std::vector<axis_list> meshes_;
  bool has_no_names_ = false;
};

}  // namespace hlolint
