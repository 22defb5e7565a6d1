// What is resident, summed by where it comes from: source lines, scopes of the framework, opcodes, shapes.
#pragma once

#include <hlolint/analysis/buffers/resident_memory.hpp>
#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/report/memory/memory_facts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint {

/// Bytes of one origin. `depth` > 0 only in the tree of scopes: below the group before it with a smaller depth.
struct memory_group {
  std::string name;
  byte_count bytes = 0;
  std::size_t items = 0;
  std::size_t depth = 0;
};

namespace detail {

// `jit(f)/while/body/dot[a=(b/c)]` by `/` outside of brackets.
inline std::vector<std::string_view> scope_parts(std::string_view op_name) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= op_name.size(); ++i) {
    const char c = i < op_name.size() ? op_name[i] : '/';
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
    if (c != '/' || (depth > 0 && i < op_name.size())) continue;
    if (i > begin) out.push_back(op_name.substr(begin, i - begin));
    begin = i + 1;
  }
  return out;
}

// What an item is called if the program does not tell where it comes from.
inline std::string unnamed(const resident_item& item, const buffer_dump& dump) {
  const allocation& a = dump.allocations()[item.allocation];
  return item.value ? "(" + std::string(kind_of(a)) + ")" : "(not in use then)";
}

inline std::string group_name(const context& module, const resident_item& item, memory_by by) {
  const buffer_dump& dump = *module.buffers();
  if (!item.value) return unnamed(item, dump);
  const assigned_value& v = dump.values()[*item.value];
  if (by == memory_by::shape) return to_string(dump.shape(v));
  if (by == memory_by::opcode) {
    if (const hlo_instruction i =
            module.hlo() ? module.get<instruction_names>().find(v.name.instruction) : hlo_instruction{})
      return std::string(i.opcode_text());
    const lone_instruction alone(module.get<instruction_texts>().find(v.name.instruction));
    return alone.get() ? std::string(alone.get().opcode_text()) : unnamed(item, dump);
  }
  const program_place from = program_place_of(module, v);
  if (by == memory_by::scope) return from.op_name.empty() ? unnamed(item, dump) : from.op_name;
  if (!from.at) return unnamed(item, dump);
  return from.at.file + (from.at.line > 0 ? ":" + std::to_string(from.at.line) : "");
}

struct scope_node {
  byte_count bytes = 0;
  std::size_t items = 0;
  std::map<std::string, scope_node> below;
};
// The largest first; a scope with one part of the same bytes is one line with it. The depth of scopes is limited.
inline void add_scopes(const scope_node& node, std::string name, std::size_t depth, std::vector<memory_group>& out) {
  const scope_node* at = &node;
  while (at->below.size() == 1 && at->below.begin()->second.bytes == at->bytes && !name.empty()) {
    name += "/" + at->below.begin()->first;
    at = &at->below.begin()->second;
  }
  if (!name.empty()) out.push_back({name, at->bytes, at->items, depth});
  std::vector<const std::pair<const std::string, scope_node>*> order;
  for (const auto& child : at->below) order.push_back(&child);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->second.bytes > b->second.bytes; });
  for (const auto* const child : order) add_scopes(child->second, child->first, name.empty() ? 0 : depth + 1, out);
}

}  // namespace detail

/// The items by origin, the most bytes first; by scope as a tree, each scope before its parts. Sums to what the items
/// do.
inline std::vector<memory_group> memory_groups(const context& module, const std::vector<resident_item>& items,
                                               memory_by by) {
  std::vector<memory_group> out;
  if (by == memory_by::scope) {
    constexpr std::size_t deepest = 12;
    detail::scope_node root;
    for (const resident_item& item : items) {
      const std::string name = detail::group_name(module, item, by);
      detail::scope_node* at = &root;
      const auto count = [&] { at->bytes = (checked_int64(at->bytes) + item.bytes).clamped(), ++at->items; };
      count();
      const std::vector<std::string_view> parts = detail::scope_parts(name);
      for (std::size_t i = 0; i < parts.size() && i < deepest; ++i) {
        at = &at->below[std::string(parts[i])];
        count();
      }
    }
    detail::add_scopes(root, {}, 0, out);
    return out;
  }
  std::map<std::string, memory_group> known;
  for (const resident_item& item : items) {
    memory_group& group = known[detail::group_name(module, item, by)];
    group.bytes = (checked_int64(group.bytes) + item.bytes).clamped();
    ++group.items;
  }
  for (auto& [name, group] : known) {
    group.name = name;
    out.push_back(std::move(group));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const memory_group& a, const memory_group& b) { return a.bytes > b.bytes; });
  return out;
}

}  // namespace hlolint
