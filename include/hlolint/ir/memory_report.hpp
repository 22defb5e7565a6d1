// The memory usage report that XLA writes beside a buffer assignment (buffer_dumps.md 6), in both of its forms.
#pragma once

#include <hlolint/ir/buffer_data.hpp>
#include <hlolint/ir/printed_size.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// The values that a list leaves out: `The rest 12 values are less than 5% of the total size and not shown.`
struct report_rest {
  std::int64_t count = 0;    ///< how many values are not listed
  std::int64_t percent = 0;  ///< their share of the allocation, as printed
  friend bool operator==(const report_rest&, const report_rest&) = default;
};

/// The values of one allocation that share an offset.
struct report_row {
  printed_size cumulative;              ///< with all rows before it
  std::optional<std::int64_t> percent;  ///< nothing where the dump prints `nan`, for an allocation without bytes
  printed_size size;                    ///< of the largest of the values
  byte_count offset = 0;                ///< in the allocation
  std::int64_t value_count = 0;         ///< values at that offset
  std::string_view shapes;              ///< `2×f32[8], s32[]`: without layouts, as written
  std::string_view text;                ///< the line
};

/// The value table of one allocation.
struct report_table {
  std::optional<std::int64_t> allocation;  ///< the number of the allocation, which the form of 2026 does not give
  /// The rows: the first one and how many. @{
  std::uint32_t first_row = 0, row_count = 0;  ///< into `rows`
  /// @}
  std::optional<report_rest> rest;  ///< the values that the table leaves out
};

/// An allocation as a report names it, with rounded sizes.
struct report_allocation {
  allocation header;                    ///< number, flags and rounded size, without values
  printed_size size;                    ///< of the allocation, rounded
  printed_size cumulative;              ///< with all larger allocations; only in the first list, like the next two
  std::optional<std::int64_t> percent;  ///< the cumulative size in percent of the total
  printed_size remaining;               ///< the total minus the cumulative size
  std::optional<std::uint32_t> table;   ///< into `tables`; only in the second list; nothing for a single value
};

/// One memory space of the form of 2026.
struct report_memory_space {
  std::string_view name;   ///< as printed
  std::int64_t color = 0;  ///< number of the memory space
  byte_count total = 0;    ///< exact
  /// The tables: the first one and how many. @{
  std::uint32_t first_table = 0, table_count = 0;  ///< into `tables`, one per allocation
  /// @}
  std::string_view text;  ///< the text of its section
};

/// `memory-usage-report.txt` in one of its two forms. The members of the other form are empty.
struct memory_report {
  // 2024-10 to 2026-03
  std::optional<byte_count> total;             ///< exact
  std::vector<report_allocation> allocations;  ///< by size, with the cumulative sums
  std::optional<report_rest> rest;             ///< the allocations that the first list leaves out
  std::vector<report_allocation> with_values;  ///< by size, with the value tables
  // since 2026-03
  std::vector<report_memory_space> spaces;  ///< in text order
  // both forms
  std::vector<report_table> tables;  ///< in text order
  std::vector<report_row> rows;      ///< those of one table are contiguous
};

}  // namespace hlolint
