// The arrays that a module stores, by shape.
#pragma once

#include <hlolint/analysis/values/in_place_pairs.hpp>
#include <hlolint/checks/program_code.hpp>

namespace hlolint::detail {

/// The instructions that have storage of one shape: how many, the first, and some more.
struct stored_shape {
  shape array;
  hlo_instruction first;
  std::size_t count = 0;
  record_list<hlo_instruction> others{};
  static constexpr std::size_t most_others = 4;
};

/// The stored shapes for which `wanted(array)` is true, in text order of their first instruction. Precondition: the
/// context has HLO.
template <class Wanted>
record_list<stored_shape> stored_shapes(const context& dump, Wanted&& wanted) {
  record_list<stored_shape> out;
  ordered_map<std::string, std::size_t> known;
  for (const hlo_instruction i : sequential_instructions(dump))
    for_each_owned_array(i, [&](const shape_index&, const shape& array) {
      if (!wanted(array)) return;
      const auto [at, is_new] = known.emplace(to_string(array), out.size());
      if (is_new) out.push_back({array, i});
      stored_shape& s = out[at->second];
      if (++s.count > 1 && s.others.size() < stored_shape::most_others) s.others.push_back(i);
    });
  return out;
}

/// A finding at the first instruction with this shape.
inline finding stored_shape_finding(const stored_shape& s, std::string message, finding_facts facts) {
  if (s.count > 1) append_to(message, {"; ", s.count, " values have this shape"});
  finding d = finding_at(s.first, std::move(message), s.array, std::move(facts));
  for (const hlo_instruction other : s.others) d.related.push_back(related_at(other, "the same shape"));
  return d;
}

}  // namespace hlolint::detail
