// A module's use of memory according to its buffer dump, in one object.
#pragma once

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/text/containers/new_shared.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace hlolint {

/// The chunks of a dump, split into parts that can be moved independently. Values unknown to the HLO stay together.
inline live_chunks movable_chunks(const alias_sets& sets, const buffer_dump& dump) {
  const named_values names(sets.flow());
  record_list<std::uint32_t> set_of;
  for (const assigned_value& v : dump.values()) {
    const auto known = names.value(v.name.instruction, v.name.at());
    set_of.push_back(known ? sets.set_of(*known) : static_cast<std::uint32_t>(sets.size()));
  }
  return {new_shared<const value_table>(dump), set_of};
}

/// Bytes in use over time, how tightly they are packed, and how tightly they could be.
struct memory_profile {
  /// From the dump alone.
  explicit memory_profile(const buffer_dump& dump)
      : chunks(movable_chunks(dump)), in_use(chunks), packing(chunks, in_use), packed(chunks) {}
  /// The HLO shows which values must stay together, so repacking gains more.
  memory_profile(const hlo_module& module, const buffer_dump& dump)
      : chunks(movable_chunks(alias_sets(module, dump), dump)),
        in_use(chunks),
        packing(chunks, in_use),
        packed(chunks) {}

  live_chunks chunks;  ///< the values by the bytes they take
  occupancy in_use;  ///< bytes over time
  packing_bound packing;  ///< the fewest bytes that any packing takes
  repack packed;  ///< the smallest packing found
};

/// The allocations of a memory space, thread-local storage included.
struct memory_space_size {
  std::int64_t color = 0;  ///< number of the memory space
  std::size_t allocations = 0;  ///< how many there are
  optional<byte_count> bytes = 0;  ///< nothing if the sum is not an int64
};

/// The memory spaces by colour.
inline record_list<memory_space_size> memory_space_sizes(const buffer_dump& dump) {
  record_list<memory_space_size> out;
  for (const allocation& a : dump.allocations()) {
    auto at = std::lower_bound(out.begin(), out.end(), a.color,
                               [](const memory_space_size& s, std::int64_t color) { return s.color < color; });
    if (at == out.end() || at->color != a.color) at = out.insert(at, memory_space_size{a.color});
    ++at->allocations;
    at->bytes = at->bytes ? checked_add(*at->bytes, a.size) : std::nullopt;
  }
  return out;
}

}  // namespace hlolint
