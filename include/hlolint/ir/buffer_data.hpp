// The records of buffer dumps (buffer_dumps.md 2 to 4). Names are views into the sources that the dump keeps alive.
#pragma once

#include <hlolint/ir/shape.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>
#include <hlolint/text/source.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace hlolint {

/// `<12 fusion.1{0} (phi) @1>`: one HloValue as the dump names it.
struct value_name {
  std::int64_t id = 0;  ///< of the HloValue, unique in a dump
  std::string_view instruction;       ///< the defining instruction
  optional<shape_index> index;        ///< printed only if that instruction has a tuple shape
  bool phi = false;                   ///< merged at a while or conditional boundary
  optional<std::int64_t> color;       ///< memory space; absent before colouring
  /// The place in the defining instruction's shape, `{}` where none is printed.
  shape_index at() const { return index.value_or(shape_index{}); }
  friend bool operator==(const value_name&, const value_name&) = default;
};

/// A value placed in an allocation: bytes [offset, offset + size).
struct assigned_value {
  value_name name;  ///< the value
  std::int64_t allocation = 0;  ///< position in `allocations` (equal to the printed number in every whole dump)
  byte_count offset = 0;  ///< from the beginning of the allocation
  byte_count size = 0;          ///< of the value's alias set (5.1)
  std::uint32_t shape = 0;      ///< position in `shapes`
  std::string_view text;        ///< the line
};

/// ` reused by buffers of a different color:` (since 2026)
struct recolored_value {
  value_name name;  ///< the value that uses the bytes again
  std::int64_t color = 0;  ///< its memory space, another than the allocation's
  std::string_view text;  ///< the line
};

/// `parameter 3, shape |f32[2]| at ShapeIndex {1}`
struct allocation_parameter {
  std::int64_t number = 0;  ///< number of the entry parameter, 0-based
  std::string_view shape;  ///< without layout, as written; `<unknown shape>` is possible
  shape_index index;  ///< the leaf of the parameter
  friend bool operator==(const allocation_parameter&, const allocation_parameter&) = default;
};

/// `allocation 3: size 1024, ...`: one buffer and what is placed in it (2).
struct allocation {
  std::int64_t number = 0;  ///< as printed
  byte_count size = 0;  ///< bytes
  std::int64_t color = 0;                         ///< memory space
  optional<std::int64_t> page;                    ///< `page 0`; printed since 2026-08
  optional<allocation_parameter> parameter;       ///< the entry parameter that lies in it
  optional<std::string_view> output_shape;        ///< as written
  bool constant = false;  ///< holds a constant
  bool thread_local_storage = false;  ///< one for each thread, not part of the total in use at a time
  bool maybe_live_out = false;  ///< holds a result
  bool preallocated_temp = false;  ///< the arena of temporary values
  std::string_view unknown_flags;                 ///< what followed the known flags, if anything
  /// Those placed in it: the first one and how many. @{
  std::uint32_t first_value = 0, value_count = 0;          ///< into `values`
  /// @}
  /// Those that use its bytes again in another color: the first one and how many. @{
  std::uint32_t first_recolored = 0, recolored_count = 0;  ///< into `recolored`
  /// @}
  std::string_view text;                          ///< the header line
};

/// A place where a value appears: `fusion.1 {0}`; the index is printed only if the instruction has a tuple shape.
struct value_position {
  std::string_view instruction;  ///< name of the instruction that has the value in its result
  optional<shape_index> index;   ///< the place in the result; nothing if none is printed
  friend bool operator==(const value_position&, const value_position&) = default;
};

/// A read of a value: `add.3, operand 1 {0}`.
struct value_use {
  std::string_view instruction;  ///< name of the instruction that reads the value
  std::int64_t operand = 0;  ///< 0-based
  optional<shape_index> index;  ///< the place in the operand; nothing if none is printed
  friend bool operator==(const value_use&, const value_use&) = default;
};

/// One entry of `Used values:`.
struct used_value {
  value_name name;  ///< the value
  /// Where it is: the first place and how many. @{
  std::uint32_t first_position = 0, position_count = 0;  ///< into `positions`, defining position first
  /// @}
  /// Who reads it: the first read and how many. @{
  std::uint32_t first_use = 0, use_count = 0;            ///< into `uses`
  /// @}
  bool uses_known = true;                                ///< false: "uses are not initialized yet."
  std::string_view from_instruction;                     ///< one instruction of HLO text
  std::string_view text;                                 ///< the head line
};

/// `fusion.1{0}:3-8`: schedule positions, both inclusive; `end` may be one more than the last position.
struct live_range {
  std::string_view instruction;  ///< name of the instruction that defines the value
  shape_index index;  ///< the place in its result
  std::int64_t start = 0;  ///< first position, inclusive
  std::int64_t end = 0;  ///< last position, inclusive
  std::string_view text;  ///< the line
};

/// A line of the list of values live at the printed peak.
struct peak_value {
  std::string_view instruction;  ///< name of the instruction that defines the value
  optional<shape_index> index;   ///< not printed before 2025-04
  byte_count bytes = 0;                    ///< unpadded
  optional<byte_count> cumulative;         ///< printed since 2025-05
  std::string_view text;  ///< the line
};

/// A node of `Stack trace breakdown for peak usage` (since 2025-07).
struct breakdown_line {
  std::int64_t depth = 0;  ///< nesting, from 0
  std::string_view node;  ///< free text
  /// Bytes of the node and all below, of itself, and of what is below and not listed. @{
  byte_count total = 0, current = 0, remaining = 0;
  /// @}
};

/// The `HloLiveRange` block.
struct live_range_block {
  bool available = true;                    ///< false: the file states that there is none
  bool computed = false;                    ///< true: not printed, it follows from the HLO
  std::int64_t max = 0;                     ///< instructions in the flattened schedule
  record_list<std::string_view> sequence;   ///< instruction names by schedule position
  record_list<live_range> ranges;           ///< in value-id order
  bool peak_known = false;                  ///< false: unbounded dynamic shapes, or not printed
  std::int64_t peak_position = 0;  ///< position in the schedule
  record_list<peak_value> peak;  ///< in the order printed: the largest first
  optional<byte_count> breakdown_bytes;   ///< printed head of the breakdown
  record_list<breakdown_line> breakdown;  ///< a tree, parents before children
  std::string_view text;                    ///< the head line
};

struct memory_report;   // ir/memory_report.hpp
struct buffer_info;     // ir/buffer_info.hpp
struct thunk_sequence;  // ir/thunk_sequence.hpp
struct oom_log;         // ir/oom_report.hpp

/// All of a module's buffer dump. Records name each other by their positions in these pools.
struct buffer_data {
  record_list<source> texts;            ///< several if files of one module were joined
  record_list<allocation> allocations;  ///< in text order
  record_list<assigned_value> values;  ///< those of one allocation are contiguous
  record_list<recolored_value> recolored;  ///< in text order
  record_list<shape> shapes;           ///< equal texts share one
  bool has_assignment = false;         ///< the section `BufferAssignment:` is there
  optional<byte_count> total_bytes_used;  ///< `Total bytes used: N`
  std::string_view total_text;         ///< that line
  bool has_used_values = false;  ///< the section `Used values:` is there
  record_list<used_value> used_values;  ///< those of one value have their positions and uses in a row
  record_list<value_position> positions;  ///< places of values, pointed to by `used_values`
  record_list<value_use> uses;  ///< reads of values, pointed to by `used_values`
  optional<live_range_block> live_ranges;  ///< the block `HloLiveRange`
  // Null if there is none. Apart, because few users need them: each has a header of its own.
  /// `memory-usage-report.txt`; null if there is none, like the next three
  std::shared_ptr<const hlolint::memory_report> memory_report;
  std::shared_ptr<const hlolint::buffer_info> buffer_info;  ///< `buffer-info.txt`
  std::shared_ptr<const hlolint::thunk_sequence> thunks;  ///< `thunk_sequence.txt`
  std::shared_ptr<const hlolint::oom_log> oom;  ///< out-of-memory messages of a log
};

}  // namespace hlolint
