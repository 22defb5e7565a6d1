// The first screen of a module's memory: its need, the capacity, and what takes memory at the peak.
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/tool/compare/module_summary_of.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>
#include <hlolint/tool/report/memory/memory_groups.hpp>
#include <hlolint/tool/report/module_picture.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// The part of an op_name that comes from the user's program: without the outermost function, the operation, and the
/// parts that control flow and transformations add. At most four parts; empty if nothing is left.
inline std::string scope_of(std::string_view op_name) {
  constexpr std::array<std::string_view, 12> added{"while",        "body",        "cond",       "branch_0_fun",
                                                   "branch_1_fun", "closed_call", "checkpoint", "rematted_computation",
                                                   "shard_map",    "pjit",        "remat",      "core_call"};
  std::vector<std::string_view> parts = scope_parts(op_name);
  if (!parts.empty()) parts.pop_back();
  if (!parts.empty() && (parts.front().starts_with("jit(") || parts.front().starts_with("pmap(")))
    parts.erase(parts.begin());
  if (!parts.empty() && parts.front() == "jit(main)") parts.erase(parts.begin());
  std::string out;
  std::size_t count = 0;
  for (const std::string_view part : parts) {
    if (std::find(added.begin(), added.end(), part) != added.end()) continue;
    if (count++ == 4) break;
    out.append(out.empty() ? "" : "/").append(part);
  }
  return out;
}

namespace detail {

/// Lists and sums the resident items. `place_of_value`, `place_of_allocation`: from positions in the dump to those in
/// the picture.
inline void add_residents(const context& module, const std::vector<std::size_t>& place_of_value,
                          const std::vector<std::size_t>& place_of_allocation, const module_picture& picture,
                          memory_facts_picture& out) {
  constexpr std::size_t most = 200, most_groups = 60;
  const buffer_dump& dump = *module.buffers();
  const auto position = out.peak ? std::optional(out.peak->first) : std::nullopt;
  const std::vector<resident_item> items = resident_at(module.get<live_chunks>(), position, module.target());
  for (const resident_item& item : items) {
    if (out.resident.size() == most) {
      ++out.more_resident;
      out.more_bytes = (checked_int64(out.more_bytes) + item.bytes).clamped();
      continue;
    }
    resident_picture& shown = out.resident.emplace_back();
    if (item.value) shown.value = place_of_value[*item.value];
    shown.allocation = place_of_allocation[item.allocation], shown.bytes = item.bytes;
  }
  for (const memory_by by :
       {memory_by::source, memory_by::function, memory_by::scope, memory_by::opcode, memory_by::shape}) {
    origin_picture& origin = out.origins.emplace_back();
    origin.by = by;
    const auto origin_of_value = [&](std::uint32_t v) {
      const value_rectangle& shown = picture.values[place_of_value[v]];
      if (by == memory_by::shape) return shown.shape;
      if (by == memory_by::scope) return shown.source.op_name;
      if (by == memory_by::opcode || by == memory_by::function) return origin_of(module, dump.values()[v], by);
      return file_and_line(shown.source.file, shown.source.line);
    };
    origin.groups = group_memory(dump, items, by == memory_by::scope, origin_of_value,
                                 [](std::uint32_t) { return program_pass::unknown; });
    if (origin.groups.size() <= most_groups) continue;
    origin.more = origin.groups.size() - most_groups;
    origin.groups.resize(most_groups);
  }
}

}  // namespace detail

/// Precondition: the module has a buffer assignment, and `picture` its values and allocations.
inline memory_facts_picture memory_facts_of(const context& module, const std::vector<std::size_t>& place_of_value,
                                            const std::vector<std::size_t>& place_of_allocation,
                                            const module_picture& picture) {
  const buffer_dump& dump = *module.buffers();
  memory_facts_picture out;
  out.need = memory_need(dump, module.target());
  const device on = module.certain_device();
  out.main_space = memory_space_name(module.target(), 0);
  out.capacity = usable_memory(on);
  if (out.capacity > 0) {
    out.device = on.name;
    out.left = (checked_int64(out.capacity) - bytes_in_space(dump, 0, module.target())).clamped();
  }
  const occupancy_curve total = main_curve(module.get<occupancy>(), module.target());
  if (const auto positions = total.peak_positions(); dump.live_ranges() && !positions.empty()) {
    out.peak = positions.front();
    out.in_use = total.peak();
    if (is_tiled(module.get<chosen_size_rule>().value))
      out.padding = compare::detail::padding_at(dump, module.get<live_chunks>(), positions.front().first);
  }
  detail::add_residents(module, place_of_value, place_of_allocation, picture, out);
  return out;
}

}  // namespace hlolint::report
