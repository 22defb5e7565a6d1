// The contents of a module's pictures as plain values: memory over time, values in their allocations, collectives.
#pragma once

#include <hlolint/analysis/buffers/memory_need.hpp>
#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/text/bytes.hpp>
#include <hlolint/tool/report/memory/memory_options.hpp>
#include <hlolint/tool/report/memory/oom_facts.hpp>
#include <hlolint/tool/report/program_picture.hpp>
#include <hlolint/tool/report/time/timeline_picture.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint::report {

/// A line of the user's program and the framework's name of the operation; unknown parts are empty.
struct picture_source {
  std::string op_name;    ///< the framework's name of the operation
  std::string file;       ///< path, as the framework recorded it
  std::int64_t line = 0;  ///< 0 = unknown
};

/// One value: bytes [offset, offset + size) of its allocation, at the positions of `life` (inclusive).
struct value_rectangle {
  std::string instruction;             ///< that defines it
  std::string index;                   ///< place in that instruction's result, as printed: `{0}`; empty = the whole
  byte_count offset = 0;               ///< from the beginning of the allocation
  byte_count size = 0;                 ///< bytes
  byte_count padding = 0;              ///< part of `size` that the layout adds to the elements
  std::optional<position_range> life;  ///< schedule positions, inclusive; nothing without a live range
  std::string shape;                   ///< as written, with its layout
  picture_source source;               ///< of the instruction
  std::string scope;  ///< the op_name without the outermost function, control flow and the operation (`scope_of`)
};

/// Bytes that two values wrongly share while both live (MEM001 to MEM003).
struct overlap_rectangle {
  /// Positions in `module_picture::values`. @{
  std::size_t first = 0, second = 0;
  /// @}
  std::string_view kind;  ///< as `name_of(overlap_class)` gives it
  byte_count offset = 0;  ///< from the beginning of the allocation
  byte_count size = 0;    ///< bytes
  position_range life;    ///< positions that both live at
};

/// One allocation.
struct allocation_picture {
  std::int64_t number = 0;            ///< as printed
  std::string_view kind;              ///< `temp`, `parameter`, ...
  std::int64_t color = 0;             ///< memory space
  byte_count size = 0;                ///< bytes
  std::optional<byte_count> bound{};  ///< most bytes in use at one position; nothing without live ranges
  /// Its values in `module_picture::values`: the first one and how many. @{
  std::size_t first_value = 0, value_count = 0;
  /// @}
};

/// One memory space, or all of them together.
struct memory_picture {
  std::optional<std::int64_t> color{};    ///< nothing = all
  std::string name;                       ///< `HBM`, `VMEM`, `color 3`; empty = all
  std::size_t allocations = 0;            ///< how many there are
  std::optional<byte_count> allocated{};  ///< bytes of the allocations; nothing if the sum is not an int64
  std::vector<occupancy_step> steps;      ///< bytes in use; empty without live ranges
};

/// Bytes of the need at the peak; `value` and `allocation` are positions in the lists of `module_picture`.
struct resident_picture {
  std::optional<std::size_t> value{};  ///< nothing: bytes that no value uses then
  std::size_t allocation = 0;          ///< where the bytes are
  byte_count bytes = 0;                ///< bytes of it
};

/// The parts of the need at the peak by one kind of origin, and how many parts are not listed.
struct origin_picture {
  memory_by by = memory_by::nothing;  ///< what the groups are of
  std::vector<memory_group> groups;   ///< the most bytes first
  std::size_t more = 0;               ///< further groups
};

/// The memory that a module takes; made of memory_need, occupancy and the device.
struct memory_facts_picture {
  memory_need need;                        ///< all allocations
  std::string device;                      ///< empty if it is not known
  byte_count capacity = 0;                 ///< bytes of its main memory that programs can have; 0 = not known
  byte_count left = 0;                     ///< rest of the capacity; below 0 if the module does not fit
  std::string main_space;                  ///< what the main memory is called
  std::optional<position_range> peak;      ///< the first positions with most bytes in use
  byte_count in_use = 0;                   ///< at the peak
  byte_count padding = 0;                  ///< of `in_use`
  std::vector<resident_picture> resident;  ///< the most bytes first, no more than 200
  std::size_t more_resident = 0;           ///< further items
  byte_count more_bytes = 0;               ///< of those that are not listed
  std::vector<origin_picture> origins;     ///< one for each kind that anything is known of
};

/// A collective or another transfer, from the position of its start to that of its done.
struct transfer_picture {
  std::string instruction;          ///< that starts the transfer
  std::string done;                 ///< the instruction that waits; empty for a synchronous one, and if there is none
  std::string_view kind;            ///< `all-gather`, `copy`, ...
  position_range life;              ///< schedule positions of start and done, inclusive
  std::optional<byte_count> bytes;  ///< the bigger side, operands or result, without padding
  std::size_t between = 0;          ///< instructions between start and done
  std::size_t real = 0;             ///< of these: work that can hide the transfer
  bool collective = false;          ///< else a copy, send or receive
  bool asynchronous = false;        ///< has a done of its own
  bool exposed = false;             ///< the device waits for it, and the work beside it does not hide it
  picture_source source;            ///< of the instruction
};

/// One module. Regular, and independent of the dumps it was made from.
struct module_picture {
  std::string name;                             ///< as the HLO has it, or the name of the files
  std::string_view target;                      ///< `cpu`, `gpu`, `tpu` or `unknown`
  std::vector<std::string> files;               ///< that it was read from
  std::string entry;                            ///< the shapes of its parameters (`entry_shapes`)
  program_picture program;                      ///< its instructions
  std::optional<memory_facts_picture> memory;   ///< nothing without a buffer assignment and an estimate of it
  std::vector<oom_facts> out_of_memory;         ///< of a job's log
  bool estimated = false;                       ///< the buffers are an estimate (assigned_buffers.hpp)
  std::optional<timeline_picture> timeline;     ///< nothing if no device is known, or nothing is scheduled
  std::optional<timeline_picture> measured;     ///< nothing without a profile
  std::string missing;                          ///< why some memory cannot be shown; empty = nothing is missing
  std::string advice;                           ///< savings by another order of the instructions; empty = too small
  bool scheduled = false;                       ///< else positions are only the order of the text
  std::vector<std::string> sequence;            ///< names of instructions by schedule position
  std::int64_t last_position = 0;               ///< with live ranges one more than the last instruction's
  std::vector<memory_picture> spaces;           ///< all together first, if there are several
  std::vector<allocation_picture> allocations;  ///< the temporary ones first, then by size
  std::vector<value_rectangle> values;          ///< those of one allocation together, by position in the dump
  std::vector<overlap_rectangle> overlaps;      ///< by `first`
  std::vector<transfer_picture> transfers;      ///< by start
  std::size_t exposed_transfers = 0;            ///< how many of them are exposed
  byte_count exposed_bytes = 0;                 ///< what those move
  std::size_t unplaced_transfers = 0;           ///< further ones, of which the dump's schedule knows nothing
};

}  // namespace hlolint::report
