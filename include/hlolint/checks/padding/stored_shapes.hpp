// The arrays that a module stores, by shape.
#pragma once

#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/owned_arrays.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/checked.hpp>
#include <hlolint/text/str_cat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// The arrays of one shape that have storage of their own, by the instruction and the place in its result.
struct stored_shape {
  shape array;
  std::vector<std::pair<hlo_instruction, shape_index>> values{};
};

/// The stored shapes for which `wanted(array)` is true, in text order of their first instruction. Precondition: the
/// context has HLO.
template <class Wanted>
std::vector<stored_shape> stored_shapes(const context& dump, Wanted&& wanted) {
  std::unordered_map<const shape*, bool> asked;  // equal results of a module share their shape
  const auto has_wanted = [&](const shape& whole) {
    const auto [answer, is_new] = asked.try_emplace(&whole);
    if (!is_new) return answer->second;
    bool any = false;
    for_each_subshape(whole,
                      [&](const shape_index&, const shape& part) { any = any || (part.is_array() && wanted(part)); });
    return answer->second = any;
  };
  std::vector<stored_shape> out;
  std::map<std::string, std::size_t> known;
  for (const hlo_instruction i : sequential_instructions(dump)) {
    if (!i.shape() || !has_wanted(*i.shape())) continue;
    for_each_owned_array(i, [&](const shape_index& index, const shape& array) {
      if (!wanted(array)) return;
      const auto [at, is_new] = known.emplace(to_string(array), out.size());
      if (is_new) out.push_back({array});
      out[at->second].values.emplace_back(i, index);
    });
  }
  return out;
}

/// How many of the arrays are in memory at the same time; 1 without a schedule. Values that share storage are one, and
/// the result of an instruction may take the place of an operand that it reads last.
inline std::size_t most_at_once(const stored_shape& s, const context& dump) {
  if (s.values.size() < 2 || !dump.hlo()->is_scheduled()) return 1;
  const live_ranges& ranges = dump.get<live_ranges>();
  std::map<std::size_t, time_span> lives;  // by alias set
  for (const auto& [i, index] : s.values) {
    const auto value = ranges.flow().only_value_at(i, index);
    const auto life = value ? ranges.untrimmed(*value) : std::nullopt;
    if (!life) continue;
    const auto [at, is_new] = lives.try_emplace(ranges.sets().set_of(*value), *life);
    if (!is_new) at->second = {std::min(at->second.start, life->start), std::max(at->second.end, life->end)};
  }
  std::vector<std::pair<std::int64_t, int>> changes;  // position, and arrays that come or go
  for (const auto& [set, life] : lives)
    changes.insert(changes.end(), {{life.start, 1}, {std::max(life.end, life.start + 1), -1}});
  std::sort(changes.begin(), changes.end());
  int now = 0, most = 1;
  for (const auto& [position, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

/// A finding at the first instruction with this shape. `bytes`: what one array wastes.
inline finding stored_shape_finding(const stored_shape& s, const context& dump, std::string message, byte_count bytes) {
  constexpr std::size_t most_named = 5;
  const std::size_t at_once = most_at_once(s, dump);
  if (s.values.size() > 1) append_to(message, {"; ", s.values.size(), " values have this shape"});
  if (at_once > 1) append_to(message, {", ", at_once == s.values.size() ? "all" : str_cat({at_once}), " at a time"});
  finding d = finding_at(s.values.front().first, std::move(message), s.array,
                         {.bytes = (checked_int64(bytes) * static_cast<std::int64_t>(at_once)).clamped()});
  for (std::size_t k = 1; k < std::min(s.values.size(), most_named); ++k) {
    const auto& [other, index] = s.values[k];
    d.related.push_back(
        related_at(other, index.empty() ? "the same shape" : str_cat({"the same shape, at ", to_string(index)})));
  }
  return d;
}

}  // namespace hlolint::detail
