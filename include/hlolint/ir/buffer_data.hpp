// The records of buffer dumps (buffer_dumps.md 2 to 4). Their texts are views into the sources that the dump keeps
// alive.
#pragma once

#include <hlolint/ir/shape.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/text/source.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// `<12 fusion.1{0} (phi) @1>`: the name of an HloValue.
struct value_name {
  std::int64_t id = 0;                ///< of the HloValue, unique in a dump
  std::string_view instruction;       ///< the defining instruction
  std::optional<shape_index> index;   ///< only printed if the instruction has a tuple shape
  bool phi = false;                   ///< merged at a while or conditional boundary
  std::optional<std::int64_t> color;  ///< memory space; absent before coloring
  /// The place in the shape of the defining instruction; `{}` if none is printed.
  shape_index at() const { return index.value_or(shape_index{}); }
  friend bool operator==(const value_name&, const value_name&) = default;
};

/// A value placed in an allocation: bytes [offset, offset + size).
struct assigned_value {
  value_name name;              ///< the value
  std::int64_t allocation = 0;  ///< position in `allocations`, which is the printed number in every whole dump
  byte_count offset = 0;        ///< from the beginning of the allocation
  byte_count size = 0;          ///< of the value's alias set (5.1)
  std::uint32_t shape = 0;      ///< position in `shapes`
  std::string_view text;        ///< the line
};

/// A value below ` reused by buffers of a different color:` (since 2026).
struct recolored_value {
  value_name name;         ///< the value that uses the bytes again
  std::int64_t color = 0;  ///< its memory space, which is not that of the allocation
  std::string_view text;   ///< the line
};

/// `parameter 3, shape |f32[2]| at ShapeIndex {1}`
struct allocation_parameter {
  std::int64_t number = 0;  ///< number of the entry parameter, 0-based
  std::string_view shape;   ///< as written, without a layout; `<unknown shape>` is possible
  shape_index index;        ///< the leaf of the parameter
  friend bool operator==(const allocation_parameter&, const allocation_parameter&) = default;
};

/// `allocation 3: size 1024, ...`: one buffer and the values in it.
struct allocation {
  std::int64_t number = 0;                        ///< as printed
  byte_count size = 0;                            ///< bytes
  std::int64_t color = 0;                         ///< memory space
  std::optional<std::int64_t> page;               ///< `page 0`; printed since 2026-08
  std::optional<allocation_parameter> parameter;  ///< the entry parameter that lies in it
  std::optional<std::string_view> output_shape;   ///< as written
  bool constant = false;                          ///< holds a constant
  bool thread_local_storage = false;              ///< each thread has its own; not part of the total in use
  bool maybe_live_out = false;                    ///< holds a result
  bool preallocated_temp = false;                 ///< the arena of temporary values
  std::string_view unknown_flags;                 ///< the text of flags that are not known; may be empty
  /// The values in it: the first one and how many. @{
  std::uint32_t first_value = 0, value_count = 0;  ///< into `values`
  /// @}
  /// The values of other colors that use its bytes again: the first one and how many. @{
  std::uint32_t first_recolored = 0, recolored_count = 0;  ///< into `recolored`
  /// @}
  std::string_view text;  ///< the header line
};

/// A place where a value appears: `fusion.1 {0}`.
struct value_position {
  std::string_view instruction;      ///< name of the instruction that has the value in its result
  std::optional<shape_index> index;  ///< the place in the result; only printed if the result is a tuple
  friend bool operator==(const value_position&, const value_position&) = default;
};

/// A read of a value: `add.3, operand 1 {0}`.
struct value_use {
  std::string_view instruction;      ///< name of the instruction that reads the value
  std::int64_t operand = 0;          ///< 0-based
  std::optional<shape_index> index;  ///< the place in the operand; nothing if none is printed
  friend bool operator==(const value_use&, const value_use&) = default;
};

/// One entry of `Used values:`.
struct used_value {
  value_name name;  ///< the value
  /// The places where it appears: the first one and how many. @{
  std::uint32_t first_position = 0, position_count = 0;  ///< into `positions`; the first place is the definition
  /// @}
  /// The reads of it: the first one and how many. @{
  std::uint32_t first_use = 0, use_count = 0;  ///< into `uses`
  /// @}
  bool uses_known = true;             ///< false: "uses are not initialized yet."
  std::string_view from_instruction;  ///< the defining instruction as HLO text
  std::string_view text;              ///< its first line
};

/// `fusion.1{0}:3-8`: the positions of the schedule at which a value lives.
struct live_range {
  std::string_view instruction;  ///< name of the instruction that defines the value
  shape_index index;             ///< the place in its result
  std::int64_t start = 0;        ///< first position, inclusive
  std::int64_t end = 0;          ///< last position, inclusive; may be one more than the last of the schedule
  std::string_view text;         ///< the line
};

/// A line of the list of values that live at the printed peak.
struct peak_value {
  std::string_view instruction;          ///< name of the instruction that defines the value
  std::optional<shape_index> index;      ///< printed since 2025-04
  byte_count bytes = 0;                  ///< without padding
  std::optional<byte_count> cumulative;  ///< printed since 2025-05
  std::string_view text;                 ///< the line
};

/// A node of `Stack trace breakdown for peak usage` (since 2025-07).
struct breakdown_line {
  std::int64_t depth = 0;  ///< nesting, from 0
  std::string_view node;   ///< free text
  /// Bytes of the node with all nodes below it, of the node itself, and of the nodes below it that are not listed. @{
  byte_count total = 0, current = 0, remaining = 0;
  /// @}
};

/// The `HloLiveRange` block.
struct live_range_block {
  bool available = true;                      ///< false: the file states that there is no live range
  bool computed = false;                      ///< true: it is not printed, but computed from the HLO
  std::int64_t max = 0;                       ///< number of instructions in the flattened schedule
  std::vector<std::string_view> sequence;     ///< instruction names by schedule position
  std::vector<live_range> ranges;             ///< in value-id order
  bool peak_known = false;                    ///< false: there are unbounded dynamic shapes, or no peak is printed
  std::int64_t peak_position = 0;             ///< position in the schedule
  std::vector<peak_value> peak;               ///< in the order printed: the largest first
  std::optional<byte_count> breakdown_bytes;  ///< the size in the first line of the breakdown
  std::vector<breakdown_line> breakdown;      ///< a tree, parents before children
  std::string_view text;                      ///< its first line
};

struct memory_report;   // ir/memory_report.hpp
struct buffer_info;     // ir/buffer_info.hpp
struct thunk_sequence;  // ir/thunk_sequence.hpp
struct oom_log;         // tool/logs/oom_report.hpp

/// The buffer dump of one module. Records refer to each other by their positions in these pools.
struct buffer_data {
  std::vector<source> texts;                    ///< several if files of one module were joined
  std::optional<std::int32_t> xla_date;         ///< of computed buffers: whose rules, as year, month, day
  std::vector<allocation> allocations;          ///< in text order
  std::vector<assigned_value> values;           ///< those of one allocation are contiguous
  std::vector<recolored_value> recolored;       ///< in text order
  std::vector<shape> shapes;                    ///< equal texts share one
  bool has_assignment = false;                  ///< the section `BufferAssignment:` is there
  std::optional<byte_count> total_bytes_used;   ///< `Total bytes used: N`
  std::string_view total_text;                  ///< the line of the total
  bool has_used_values = false;                 ///< the section `Used values:` is there
  std::vector<used_value> used_values;          ///< in text order
  std::vector<value_position> positions;        ///< places of values; those of one value are contiguous
  std::vector<value_use> uses;                  ///< reads of values; those of one value are contiguous
  std::optional<live_range_block> live_ranges;  ///< the block `HloLiveRange`
  // The next four are apart and have headers of their own, because few users need them.
  /// `memory-usage-report.txt`; null if there is none, like the next three
  std::shared_ptr<const hlolint::memory_report> memory_report;
  std::shared_ptr<const hlolint::buffer_info> buffer_info;  ///< `buffer-info.txt`
  std::shared_ptr<const hlolint::thunk_sequence> thunks;    ///< `thunk_sequence.txt`
  std::shared_ptr<const hlolint::oom_log> oom;              ///< out-of-memory messages of a log
};

}  // namespace hlolint
