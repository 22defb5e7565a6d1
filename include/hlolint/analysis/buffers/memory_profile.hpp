// A module's use of memory according to its buffer dump, in one object.
// The memory that a module needs, and its contents at a schedule position.
#pragma once

#include <hlolint/analysis/analysis_cache.hpp>
#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/analysis/buffers/repack.hpp>
#include <hlolint/analysis/program/xla_rules.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/analysis/values/alias_sets.hpp>
#include <hlolint/analysis/values/dataflow.hpp>
#include <hlolint/analysis/values/named_values.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/sorting.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace hlolint {

/// Whether an allocation takes memory while the program is loaded: thread-local ones of a TPU, which stand for what
/// fusions read and write, do not.
inline bool takes_memory(const allocation& a, target on) { return on != target::tpu || !a.thread_local_storage; }

/// All allocations in bytes, in the terms of JAX's memory_analysis(): total = arguments + outputs - aliased +
/// temporaries + constants + thread_local_storage + tuple_tables. Sums are clamped to an int64.
struct memory_need {
  byte_count arguments = 0;             ///< entry parameters
  byte_count outputs = 0;               ///< results
  byte_count aliased = 0;               ///< in both: results that reuse donated parameters
  byte_count temporaries = 0;           ///< neither arguments nor results nor constants
  byte_count constants = 0;             ///< of the program
  byte_count thread_local_storage = 0;  ///< of one thread
  byte_count tuple_tables = 0;          ///< tables of pointers of tuples
  byte_count total = 0;                 ///< XLA's printed total

  memory_need() = default;
  /// From the allocations of a dump; on a TPU from those in HBM alone, without thread-local ones, as libtpu counts
  /// them. Linear.
  explicit memory_need(const buffer_dump& dump, target on = target::unknown) {
    const auto add = [](byte_count& sum, byte_count size) { sum = (checked_int64(sum) + size).clamped(); };
    for (const allocation& a : dump.allocations()) {
      if (!counts(a, on)) continue;
      add(total, a.size);
      if (a.parameter) add(arguments, a.size);
      if (a.parameter && a.maybe_live_out) add(aliased, a.size);
      if (a.maybe_live_out) add(outputs, a.size);
      if (a.parameter || a.maybe_live_out) continue;
      add(a.constant               ? constants
          : a.thread_local_storage ? thread_local_storage
          : a.preallocated_temp    ? temporaries
                                   : tuple_tables,
          a.size);
    }
  }
  /// Whether an allocation is part of the need.
  static bool counts(const allocation& a, target on) { return counts_in_need(on, a.color, a.thread_local_storage); }
  friend bool operator==(const memory_need&, const memory_need&) = default;
};

/// Bytes in use, and their user.
struct resident_item {
  std::uint32_t allocation = 0;          ///< position in `allocations()`
  std::optional<std::uint32_t> value{};  ///< position in `values()`; nothing: unused at that position
  byte_count bytes = 0;                  ///< in use
};

/// The contents of memory at a schedule position, the largest first. A temporary allocation gives one item for each
/// live chunk and one for its unused bytes; every other allocation, which is there all the time, gives one item.
/// Without a position, temporary allocations are one item each. The bytes sum to the need unless values overlap: on a
/// TPU only what is in HBM is listed. O(n log n).
inline std::vector<resident_item> resident_at(const live_chunks& chunks, std::optional<std::int64_t> position,
                                              target on = target::unknown) {
  const buffer_dump& dump = chunks.dump();
  std::vector<resident_item> out;
  const auto lives = [&](std::uint32_t value) {
    const live_range* const range = position ? chunks.table().range(value) : nullptr;
    return range && range->start <= *position && *position <= range->end;
  };
  for (std::uint32_t a = 0; a < dump.allocations().size(); ++a) {
    const allocation& whole = dump.allocations()[a];
    if (whole.size <= 0 || !memory_need::counts(whole, on)) continue;
    if (!whole.preallocated_temp) {
      resident_item item{a, {}, whole.size};
      for (std::uint32_t v = whole.first_value; v < whole.first_value + whole.value_count; ++v)
        if (!item.value || (lives(v) && !lives(*item.value))) item.value = v;
      out.push_back(item);
      continue;
    }
    std::vector<const live_chunk*> found;
    if (position) detail::add_live_chunks(chunks, chunks.of_allocation(a), *position, found);
    checked_int64 rest = whole.size;
    for (const live_chunk* const c : found) {
      resident_item item{a, {}, c->size};
      for (const std::uint32_t v : chunks.values(*c))
        if (lives(v) && !item.value) item.value = v;
      rest -= c->size;
      out.push_back(item);
    }
    if (rest.clamped() > 0) out.push_back({a, {}, rest.clamped()});
  }
  std::stable_sort(out.begin(), out.end(), [](const resident_item& x, const resident_item& y) {
    return in_order(y.bytes, x.bytes, x.allocation, y.allocation, x.value, y.value);
  });
  return out;
}

/// The chunks of a dump, split into parts that can be moved independently. Values unknown to the HLO stay together.
inline live_chunks movable_chunks(const alias_sets& sets, const buffer_dump& dump) {
  const named_values names(sets.flow());
  std::vector<std::uint32_t> set_of;
  for (const assigned_value& v : dump.values()) {
    const auto known = names.value(v.name.instruction, v.name.at());
    set_of.push_back(known ? sets.set_of(*known) : static_cast<std::uint32_t>(sets.size()));
  }
  return {std::make_shared<const value_table>(dump), set_of};
}

/// Bytes in use over time, how tightly they are packed, and how tightly they could be.
struct memory_profile {
  /// From the dump alone.
  explicit memory_profile(const buffer_dump& dump) : memory_profile(movable_chunks(dump)) {}
  /// The HLO shows which values must stay together, so repacking gains more.
  memory_profile(const hlo_module& module, const buffer_dump& dump)
      : memory_profile(movable_chunks(alias_sets(module, dump), dump)) {}
  /// From a cache: the alias sets are those of the live ranges.
  template <analysis_cache Cache>
  explicit memory_profile(const Cache& made)
      : memory_profile(!made.hlo() ? movable_chunks(*made.buffers())
                       : made.hlo()->is_scheduled()
                           ? movable_chunks(made.template get<live_ranges>().sets(), *made.buffers())
                           : movable_chunks(alias_sets(*made.hlo(), *made.buffers()), *made.buffers())) {}
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

/// Sum of the allocations of a memory space, clamped to an int64.
inline byte_count bytes_in_space(const buffer_dump& dump, std::int64_t color, target on = target::unknown) {
  checked_int64 sum = 0;
  for (const allocation& a : dump.allocations())
    if (a.color == color && takes_memory(a, on)) sum += a.size;
  return sum.clamped();
}

/// Bytes over time in the memory that the need is of: on a TPU HBM alone.
inline occupancy_curve main_curve(const occupancy& in_use, target on) {
  if (on != target::tpu) return in_use.total();
  for (std::size_t i = 0; i < in_use.space_count(); ++i)
    if (in_use.color_of_space(i) == 0) return in_use.of_space(i);
  return {};
}

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
