// Sums of the resident bytes by origin: source lines, scopes of the framework, opcodes, shapes.
#pragma once

#include <hlolint/analysis/device/memory_space.hpp>
#include <hlolint/ir/source_position.hpp>
#include <hlolint/tool/costs/value_weights.hpp>
#include <hlolint/tool/costs/weights_read.hpp>
#include <hlolint/tool/memory/resident_memory.hpp>
#include <hlolint/tool/report/memory/memory_facts.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace hlolint::report {

namespace detail {

// The name of an item whose origin the program does not show.
inline std::string unnamed(const resident_item& item, const buffer_dump& dump) {
  const allocation& a = dump.allocations()[item.allocation];
  return item.value ? "(" + std::string(kind_of(a)) + ")" : "(not in use then)";
}

// The instruction that makes a value; empty if the HLO is not at hand.
inline hlo_instruction maker_of(const context& module, const assigned_value& v) {
  return module.hlo() ? module.get<instruction_names>().find(v.name.instruction) : hlo_instruction{};
}

// The parameter of the program that a value is, updates or is computed with (value_weights.hpp).
inline std::string weight_of_value(const context& module, const assigned_value& v) {
  if (!module.hlo() || !module.hlo()->entry()) return {};
  const hlo_instruction i = maker_of(module, v);
  if (!i) return {};
  const std::uint32_t part = module.get<weights_read>().places().find(i.id(), v.name.at());
  return part == none ? std::string{} : module.get<value_weights>().of(i, part);
}

// The pass of the instruction that makes a value.
inline program_pass pass_of_value(const context& module, const assigned_value& v) {
  const hlo_instruction i = maker_of(module, v);
  return i ? module.get<program_passes>().of(i) : program_pass::unknown;
}

inline std::string origin_of(const context& module, const assigned_value& v, memory_by by) {
  const buffer_dump& dump = *module.buffers();
  if (by == memory_by::shape) return to_string(dump.shape(v));
  if (by == memory_by::opcode) return opcode_of(module, v);
  if (by == memory_by::weight) return weight_of_value(module, v);
  if (by == memory_by::function)
    return hlolint::detail::with_maker(module, v,
                                       [](hlo_instruction i) { return function_and_file(user_function_of(i)); });
  if (by == memory_by::pass) {
    if (const hlo_instruction i = maker_of(module, v); i && i.opcode() == hlo_opcode::parameter) return {};
    return std::string(name_of(pass_of_value(module, v)));
  }
  const program_place from = program_place_of(module, v);
  if (by == memory_by::scope) return from.op_name;
  return file_and_line(from.at.file, from.at.line);
}

/// The bytes that values occupy at one time or another, each counted once.
class occupied_bytes {
 public:
  void add(const assigned_value& v) {
    if (v.size > 0) places_.emplace_back(v.allocation, v.offset, (checked_int64(v.offset) + v.size).clamped());
  }
  byte_count total() {
    std::sort(places_.begin(), places_.end());
    checked_int64 sum = 0;
    std::int64_t in = -1;
    byte_count end = 0;
    for (const auto& [allocation, from, to] : places_) {
      if (allocation != in) in = allocation, end = from;
      if (to > end) sum += to - std::max(from, end), end = to;
    }
    return sum.clamped();
  }

 private:
  std::vector<std::tuple<std::int64_t, byte_count, byte_count>> places_;
};

struct scope_node {
  byte_count bytes = 0;
  std::size_t items = 0;
  std::array<byte_count, program_pass_count> of_pass{};
  occupied_bytes ever;
  std::map<std::string, scope_node, std::less<>> below;
};
// Lists scopes, the largest first; a scope whose only part has all its bytes is one line with that part. The depth of
// scopes is limited.
inline void add_scopes(scope_node& node, std::string name, std::size_t depth, std::vector<memory_group>& out) {
  scope_node* at = &node;
  while (at->below.size() == 1 && at->below.begin()->second.bytes == at->bytes && !name.empty()) {
    name += "/" + at->below.begin()->first;
    at = &at->below.begin()->second;
  }
  if (!name.empty())
    out.push_back({name, at->bytes, std::max(at->bytes, at->ever.total()), at->items, depth, at->of_pass});
  std::vector<std::pair<const std::string, scope_node>*> order;
  for (auto& child : at->below) order.push_back(&child);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->second.bytes > b->second.bytes; });
  for (auto* const child : order) add_scopes(child->second, child->first, name.empty() ? 0 : depth + 1, out);
}

}  // namespace detail

/// The items by origin, the largest first; as a tree of scopes, each scope before its parts. The sums add up to those
/// of the items. `origin(v)` names the origin of a value (by position), and is empty if it is not known; `pass(v)` is
/// the pass of what makes it. At most `deepest` levels of scopes. O(n log n).
template <class Origin, class Pass>
std::vector<memory_group> group_memory(const buffer_dump& dump, const std::vector<resident_item>& items, bool tree,
                                       Origin&& origin, Pass&& pass, std::size_t deepest = 12) {
  detail::scope_node root;
  const auto for_each_scope = [&](std::string_view name, auto&& enter) {  // from the root on, until `enter` finds none
    detail::scope_node* at = &root;
    const std::vector<std::string_view> parts = tree ? scope_parts(name) : std::vector<std::string_view>{name};
    for (std::size_t i = 0; at && i < parts.size() && i < deepest; ++i) at = enter(*at, parts[i]);
  };
  const auto name_of = [&](const resident_item& item) {
    std::string name = item.value ? std::string(origin(*item.value)) : std::string{};
    return name.empty() ? detail::unnamed(item, dump) : name;
  };
  for (const resident_item& item : items) {
    const auto of = static_cast<std::size_t>(item.value ? pass(*item.value) : program_pass::unknown);
    for_each_scope(name_of(item), [&](detail::scope_node& above, std::string_view part) {
      detail::scope_node& node = above.below[std::string(part)];
      node.bytes = (checked_int64(node.bytes) + item.bytes).clamped(), ++node.items;
      node.of_pass[of] = (checked_int64(node.of_pass[of]) + item.bytes).clamped();
      return &node;
    });
  }
  for (std::uint32_t a = 0; a < dump.allocations().size(); ++a) {
    const allocation& in = dump.allocations()[a];
    for (std::uint32_t v = in.first_value; v < in.first_value + in.value_count; ++v)
      for_each_scope(name_of({a, v, 0}), [&](detail::scope_node& above, std::string_view part) {
        const auto known = above.below.find(part);
        if (known == above.below.end()) return static_cast<detail::scope_node*>(nullptr);
        known->second.ever.add(dump.values()[v]);
        return &known->second;
      });
  }
  std::vector<memory_group> out;
  if (tree) {
    detail::add_scopes(root, {}, 0, out);
    return out;
  }
  for (auto& [name, node] : root.below)
    out.push_back({name, node.bytes, std::max(node.bytes, node.ever.total()), node.items, 0, node.of_pass});
  std::stable_sort(out.begin(), out.end(),
                   [](const memory_group& a, const memory_group& b) { return a.bytes > b.bytes; });
  return out;
}

/// Whether a module has a backward pass, so that its groups can be split by passes.
inline bool has_gradients(const context& module) {
  return module.hlo() && module.get<program_passes>().has_gradients();
}

/// The items by an origin that the module knows. `depth`: levels of scopes, 0 = as many as are shown by default.
inline std::vector<memory_group> memory_groups(const context& module, const std::vector<resident_item>& items,
                                               memory_by by, std::size_t depth = 0) {
  constexpr std::size_t deepest = 12;
  const buffer_dump& dump = *module.buffers();
  const bool split = has_gradients(module);
  return group_memory(
      dump, items, by == memory_by::scope,
      [&](std::uint32_t v) { return detail::origin_of(module, dump.values()[v], by); },
      [&](std::uint32_t v) { return split ? detail::pass_of_value(module, dump.values()[v]) : program_pass::unknown; },
      depth > 0 ? depth : deepest);
}

}  // namespace hlolint::report
