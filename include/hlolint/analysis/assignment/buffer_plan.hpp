// What an assignment of buffers is: allocations, and where each value lies (assignment.md).
#pragma once

#include <hlolint/analysis/assignment/storage_sets.hpp>
#include <hlolint/analysis/schedule/flat_schedule.hpp>
#include <hlolint/analysis/schedule/live_ranges.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>

namespace hlolint {

/// An allocation and what is in it: flags as in a buffer dump.
struct planned_allocation {
  byte_count size = 0;                       ///< bytes
  std::int64_t color = 0;                    ///< memory space
  storage_kind kind = storage_kind::shared;  ///< of the set that it was made for; shared for the heap
  std::uint32_t parameter = none;            ///< the value that is an entry parameter
  bool lives_out = false;                    ///< it holds a result
  /// Whether it may be combined with others of its memory space.
  bool is_temporary() const {
    return kind != storage_kind::parameter && kind != storage_kind::constant && kind != storage_kind::thread_local_ &&
           !lives_out;
  }
};

/// Where a value lies.
struct planned_value {
  std::uint32_t allocation = none;  ///< position in `allocations`; `none` if it has no storage
  byte_count offset = 0;            ///< from the beginning of the allocation
  byte_count size = 0;              ///< of its alias set
};

/// An assignment for one order of the instructions.
struct buffer_plan {
  record_list<planned_allocation> allocations;  ///< by number
  record_list<planned_value> values;            ///< by position in the dataflow's `values()`
  record_list<time_span> ranges;                ///< likewise; those without a range end before they start
  /// All positions of the schedule.
  flat_schedule schedule;
  byte_count total = 0;        ///< sum of all allocations
  byte_count temporaries = 0;  ///< sum of the temporary ones
  bool is_exact = true;        ///< false if the search was cut short, or sizes do not fit into 63 bits
};

}  // namespace hlolint
