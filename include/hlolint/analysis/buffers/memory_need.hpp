// The memory that a module needs, in all and of one memory space.
#pragma once

#include <hlolint/analysis/assignment/assignment_rules.hpp>
#include <hlolint/ir/buffers.hpp>
#include <hlolint/ir/target.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstdint>

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
  /// From the allocations of a dump that count in the need (`counts_in_need`). Linear.
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

/// Sum of the allocations of a memory space, clamped to an int64.
inline byte_count bytes_in_space(const buffer_dump& dump, std::int64_t color, target on = target::unknown) {
  checked_int64 sum = 0;
  for (const allocation& a : dump.allocations())
    if (a.color == color && takes_memory(a, on)) sum += a.size;
  return sum.clamped();
}

}  // namespace hlolint
