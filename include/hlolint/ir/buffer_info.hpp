// The table of buffers that `BufferAssignment::BufferInfoString` prints (buffer_dumps.md 7).
#pragma once

#include <hlolint/ir/buffer_data.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlolint {

/// A read of a buffer at a position of the schedule.
struct timed_use {
  std::int64_t time = 0;  ///< position in the schedule
  value_use use;          ///< the operand that reads it
  friend bool operator==(const timed_use&, const timed_use&) = default;
};

/// One value that has a live range.
struct buffer_info_row {
  std::int64_t id = 0;               ///< the value's id, as printed
  value_name name;                   ///< the value
  byte_count offset = 0;             ///< in the allocation
  byte_count size = 0;               ///< bytes
  std::int64_t definition_time = 0;  ///< position in the schedule; parameters have one, too
  std::int64_t end_time = 0;         ///< last position, inclusive
  std::int64_t use_count = 0;        ///< as printed
  /// The reads of it: the first one and how many. @{
  std::uint32_t first_use = 0, uses = 0;  ///< into `buffer_info::uses`, ordered by time
  /// @}
  std::string_view text;  ///< the line
};

/// `buffer-info.txt`: the place, the life and the reads of each value.
struct buffer_info {
  std::vector<buffer_info_row> rows;  ///< by value id
  std::vector<timed_use> uses;        ///< those of one row are contiguous
};

}  // namespace hlolint
