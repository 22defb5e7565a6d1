// The table of buffers that `BufferAssignment::BufferInfoString` prints (buffer_dumps.md 7).
#pragma once

#include <hlolint/ir/buffer_data.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <string_view>

namespace hlolint {

/// A read of a buffer and when it happens.
struct timed_use {
  std::int64_t time = 0;  ///< position in the schedule
  value_use use;  ///< who reads it
  friend bool operator==(const timed_use&, const timed_use&) = default;
};

/// One value that has a live range.
struct buffer_info_row {
  std::int64_t id = 0;  ///< the value's id, as printed
  value_name name;  ///< the value
  byte_count offset = 0;  ///< in the allocation
  byte_count size = 0;  ///< bytes
  std::int64_t definition_time = 0;  ///< position in the schedule, also for parameters
  std::int64_t end_time = 0;  ///< last position, inclusive
  std::int64_t use_count = 0;        ///< as printed
  /// Who reads it: the first read and how many. @{
  std::uint32_t first_use = 0, uses = 0;  ///< into `buffer_info::uses`, ordered by time
  /// @}
  std::string_view text;  ///< the line
};

/// `buffer-info.txt`: for each value where it lies, when it lives and who reads it.
struct buffer_info {
  record_list<buffer_info_row> rows;  ///< by value id
  record_list<timed_use> uses;  ///< reads of values, pointed to by `rows`
};

}  // namespace hlolint
