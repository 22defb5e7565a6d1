// A module's use of memory according to its buffer dump, in one object, and by memory space.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

/// The chunks of a dump, split into parts that can be moved independently. Values unknown to the HLO stay together.
inline live_chunks movable_chunks(const alias_sets& sets, std::shared_ptr<const value_table> table,
                                  std::shared_ptr<const instruction_names> of_instructions) {
  const named_values names(sets.flow(), std::move(of_instructions));
  std::vector<std::uint32_t> set_of;
  for (const assigned_value& v : table->dump().values()) {
    const auto known = names.value(v.name.instruction, v.name.at());
    set_of.push_back(known ? sets.set_of(*known) : static_cast<std::uint32_t>(sets.size()));
  }
  return {std::move(table), set_of};
}

/// Bytes in use over time, how tightly they are packed, and how tightly they could be.
struct memory_profile {
  /// From the dump alone.
  explicit memory_profile(const buffer_dump& dump) : memory_profile(movable_chunks(dump)) {}
  /// The HLO shows which values must stay together, so repacking gains more.
  memory_profile(const hlo_module& module, const buffer_dump& dump)
      : memory_profile(movable_chunks(alias_sets(module, dump), std::make_shared<const value_table>(dump),
                                      std::make_shared<const instruction_names>(module))) {}
  /// From a cache.
  template <analysis_cache Cache>
  explicit memory_profile(const Cache& made)
      : memory_profile(made.hlo() ? movable_chunks(made.template get<alias_sets>(), made.template share<value_table>(),
                                                   made.template share<instruction_names>())
                                  : movable_chunks(made.template share<value_table>())) {}
  /// Of known chunks.
  explicit memory_profile(live_chunks of)
      : chunks(std::move(of)), in_use(chunks), packing(chunks, in_use), packed(chunks) {}

  live_chunks chunks;     ///< the values by the bytes they take
  occupancy in_use;       ///< bytes over time
  packing_bound packing;  ///< the fewest bytes that any packing takes
  repack packed;          ///< the smallest packing found
};

/// The allocations of a memory space. Thread-local storage is included, but on a TPU, where it takes no memory.
struct memory_space_size {
  std::int64_t color = 0;               ///< number of the memory space
  std::size_t allocations = 0;          ///< how many there are
  std::optional<byte_count> bytes = 0;  ///< nothing if the sum is not an int64
};

/// The memory spaces by color.
inline std::vector<memory_space_size> memory_space_sizes(const buffer_dump& dump, target on = target::unknown) {
  std::vector<memory_space_size> out;
  for (const allocation& a : dump.allocations()) {
    if (!takes_memory(a, on)) continue;
    auto at = std::lower_bound(out.begin(), out.end(), a.color,
                               [](const memory_space_size& s, std::int64_t color) { return s.color < color; });
    if (at == out.end() || at->color != a.color) at = out.insert(at, memory_space_size{a.color});
    ++at->allocations;
    at->bytes = at->bytes ? checked_add(*at->bytes, a.size) : std::nullopt;
  }
  return out;
}

}  // namespace hlolint
