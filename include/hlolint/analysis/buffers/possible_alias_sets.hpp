// Which values of a buffer dump may have to share their bytes, as far as the dump alone shows (buffer_dumps.md 5.1).
#pragma once

#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/values/disjoint_sets.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace hlolint {

/// A number for each value, by its position in `values()`: equal numbers for all that can be of one alias set, and
/// perhaps for more. Such values have allocation, offset and size in common, and XLA aliases only across an instruction
/// that holds or reads both; at loops and conditionals, which leave a phi value in the set; or a parameter with a
/// result, and those are not temporary values.
inline record_list<std::uint32_t> possible_alias_sets(const value_table& table) {
  const buffer_dump& dump = table.dump();
  const record_list<assigned_value>& values = dump.values();
  const auto chunk_of = [&](std::uint32_t i) {
    return std::tuple(values[i].allocation, values[i].offset, values[i].size);
  };
  record_list<std::uint32_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::tuple(chunk_of(a), a) < std::tuple(chunk_of(b), b);
  });

  disjoint_sets sets(values.size());
  std::unordered_map<std::string_view, std::uint32_t> seen;  // instruction -> a value that it holds or reads
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && chunk_of(order[end]) == chunk_of(order[begin])) ++end;
    if (end - begin == 1) continue;
    seen.clear();
    for (std::size_t k = begin; k < end; ++k) {
      const std::uint32_t i = order[k];
      const used_value* const used = table.used(i);
      // all may be
      if (!dump.allocation_of(values[i]).preallocated_temp || values[i].name.phi || !used || !used->uses_known) {
        for (std::size_t other = begin; other < end; ++other) sets.merge(order[other], i);
        break;
      }
      const auto meet = [&](std::string_view instruction) {
        sets.merge(seen.emplace(instruction, i).first->second, i);
      };
      meet(values[i].name.instruction);
      for (const value_position& p : dump.positions(*used)) meet(p.instruction);
      for (const value_use& u : dump.uses(*used)) meet(u.instruction);
    }
  }
  record_list<std::uint32_t> out(values.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(sets.find(i));
  return out;
}

/// The chunks of a dump, in parts that can be moved without the others.
inline live_chunks movable_chunks(std::shared_ptr<const value_table> table) {
  const record_list<std::uint32_t> sets = possible_alias_sets(*table);
  return {std::move(table), sets};
}
/// The same from a dump.
inline live_chunks movable_chunks(const buffer_dump& dump) {
  return movable_chunks(std::make_shared<const value_table>(dump));
}

}  // namespace hlolint
