// What pictures of a module show, as plain values: memory over time, values in their allocations, collectives.
#pragma once

#include <hlolint/analysis/buffers/occupancy.hpp>
#include <hlolint/text/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlolint {

/// A line of the user's program and what the framework calls the operation; parts that are not known are empty.
struct picture_source {
  std::string op_name;
  std::string file;
  std::int64_t line = 0;  ///< 0 = unknown
};

/// One value: bytes [offset, offset + size) of its allocation, at the positions of `life` (inclusive).
struct value_rectangle {
  std::string instruction;  ///< that defines it
  std::string index;        ///< place in that instruction's result, as printed: `{0}`; empty = the whole
  byte_count offset = 0;
  byte_count size = 0;
  byte_count padding = 0;   ///< of `size`: what the layout adds to the elements
  std::optional<position_range> life;
  std::string shape;
  picture_source source;
};

/// Bytes that two values have in common while both live, and should not (MEM001 to MEM003).
struct overlap_rectangle {
  std::size_t first = 0, second = 0;  ///< positions in `module_picture::values`
  std::string_view kind;              ///< what `name_of(overlap_class)` says
  byte_count offset = 0;
  byte_count size = 0;
  position_range life;
};

struct allocation_picture {
  std::int64_t number = 0;  ///< as printed
  std::string_view kind;    ///< `temp`, `parameter`, ...
  std::int64_t color = 0;   ///< memory space
  byte_count size = 0;
  std::optional<byte_count> bound{};  ///< most bytes in use at one position; nothing without live ranges
  std::size_t first_value = 0, value_count = 0;  ///< into `module_picture::values`
};

/// One memory space, or all of them together.
struct memory_picture {
  std::optional<std::int64_t> color{};    ///< nothing = all
  std::size_t allocations = 0;
  std::optional<byte_count> allocated{};  ///< bytes of the allocations; nothing if the sum is no int64
  std::vector<occupancy_step> steps;      ///< bytes in use; empty without live ranges
};

/// A collective or another transfer, from the position of its start to that of its done.
struct transfer_picture {
  std::string instruction;
  std::string done;  ///< the instruction that waits; empty for a synchronous one, and if there is none
  std::string_view kind;  ///< `all-gather`, `copy`, ...
  position_range life;
  std::optional<byte_count> bytes;  ///< the bigger side, operands or result, without padding
  std::size_t between = 0;          ///< instructions between start and done
  std::size_t real = 0;             ///< of these: work that can hide the transfer
  bool collective = false;          ///< else a copy, send or receive
  bool asynchronous = false;
  bool exposed = false;             ///< a collective with nothing to hide it, although it moves something
  picture_source source;
};

/// One module. Regular, and independent of the dumps it was made from.
struct module_picture {
  std::string name;
  std::string_view target;         ///< `cpu`, `gpu`, `tpu` or `unknown`
  std::vector<std::string> files;  ///< that it was read from
  std::string missing;             ///< why there is less memory to show than there could be; empty = nothing is missing
  bool scheduled = false;          ///< else positions are only the order of the text
  std::vector<std::string> sequence;  ///< names of instructions by schedule position
  std::int64_t last_position = 0;     ///< with live ranges one more than the last instruction's
  std::vector<memory_picture> spaces; ///< all together first, if there are several
  std::vector<allocation_picture> allocations;  ///< the temporary ones first, then by size
  std::vector<value_rectangle> values;          ///< those of one allocation together, by position in the dump
  std::vector<overlap_rectangle> overlaps;
  std::vector<transfer_picture> transfers;      ///< by start
  std::size_t unplaced_transfers = 0;           ///< further ones, of which the dump's schedule knows nothing
};

}  // namespace hlolint
