// The arrays that a module stores, by shape.
#pragma once

#include <hlolint/analysis/values/owned_arrays.hpp>
#include <hlolint/checks/sequential_parts.hpp>
#include <hlolint/ir/text/shape_text.hpp>
#include <hlolint/lint/finding_at.hpp>
#include <hlolint/text/str_cat.hpp>

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hlolint::detail {

/// The instructions that have storage of one shape: how many, the first, and some more.
struct stored_shape {
  shape array;
  hlo_instruction first;
  std::size_t count = 0;
  std::vector<std::pair<hlo_instruction, shape_index>> others{};  // with the place in a tuple
  static constexpr std::size_t most_others = 4;
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
      if (is_new) out.push_back({array, i});
      stored_shape& s = out[at->second];
      if (++s.count > 1 && s.others.size() < stored_shape::most_others) s.others.emplace_back(i, index);
    });
  }
  return out;
}

/// A finding at the first instruction with this shape.
inline finding stored_shape_finding(const stored_shape& s, std::string message, finding facts) {
  if (s.count > 1) append_to(message, {"; ", s.count, " values have this shape"});
  finding d = finding_at(s.first, std::move(message), s.array, std::move(facts));
  for (const auto& [other, index] : s.others)
    d.related.push_back(
        related_at(other, index.empty() ? "the same shape" : str_cat({"the same shape, at ", to_string(index)})));
  return d;
}

}  // namespace hlolint::detail
