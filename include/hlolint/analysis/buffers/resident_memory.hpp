// The memory that a module needs, and its contents at a schedule position.
#pragma once

#include <hlolint/analysis/buffers/live_chunks.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>

namespace hlolint {

/// All allocations in bytes, in the terms of JAX's memory_analysis(): total = arguments + outputs - aliased +
/// temporaries + constants + thread_local_storage + tuple_tables. Sums are clamped to an int64.
struct memory_need {
  byte_count arguments = 0;  ///< entry parameters
  byte_count outputs = 0;    ///< results
  byte_count aliased = 0;    ///< in both: results that reuse donated parameters
  byte_count temporaries = 0;  ///< neither arguments nor results nor constants
  byte_count constants = 0;  ///< of the program
  byte_count thread_local_storage = 0;  ///< of one thread
  byte_count tuple_tables = 0;  ///< tables of pointers of tuples
  byte_count total = 0;  ///< XLA's printed total

  memory_need() = default;
  /// From the allocations of a dump. Linear.
  explicit memory_need(const buffer_dump& dump) {
    const auto add = [](byte_count& sum, byte_count size) { sum = (checked_int64(sum) + size).clamped(); };
    for (const allocation& a : dump.allocations()) {
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
  friend bool operator==(const memory_need&, const memory_need&) = default;
};

/// Bytes in use, and their user.
struct resident_item {
  std::uint32_t allocation = 0;          ///< position in `allocations()`
  optional<std::uint32_t> value{};       ///< position in `values()`; nothing: unused at that position
  byte_count bytes = 0;  ///< in use
};

/// The contents of memory at a schedule position, the largest first. A temporary allocation gives one item for each
/// live chunk and one for its unused bytes; every other allocation, which is there all the time, gives one item.
/// Without a position, temporary allocations are one item each. The bytes sum to the need unless values overlap. O(n
/// log n).
inline record_list<resident_item> resident_at(const live_chunks& chunks, optional<std::int64_t> position) {
  const buffer_dump& dump = chunks.dump();
  record_list<resident_item> out;
  const auto lives = [&](std::uint32_t value) {
    const live_range* const range = position ? chunks.table().range(value) : nullptr;
    return range && range->start <= *position && *position <= range->end;
  };
  for (std::uint32_t a = 0; a < dump.allocations().size(); ++a) {
    const allocation& whole = dump.allocations()[a];
    if (whole.size <= 0) continue;
    if (!whole.preallocated_temp) {
      resident_item item{a, {}, whole.size};
      for (std::uint32_t v = whole.first_value; v < whole.first_value + whole.value_count; ++v)
        if (!item.value || (lives(v) && !lives(*item.value))) item.value = v;
      out.push_back(item);
      continue;
    }
    record_list<const live_chunk*> found;
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
  sort_records(out, [](const resident_item& x, const resident_item& y) {
    return in_order(y.bytes, x.bytes, x.allocation, y.allocation, x.value, y.value);
  });
  return out;
}

}  // namespace hlolint
