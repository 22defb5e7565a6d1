// The list of thunks that a GPU executable runs (buffer_dumps.md 7).
#pragma once

#include <hlolint/text/bytes.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hlolint {

/// `{index:3, offset:256, size:64}`: a part of an allocation.
struct buffer_slice {
  std::int64_t allocation = 0;  ///< number of the allocation; -1: none
  byte_count offset = 0;        ///< in the allocation
  byte_count size = 0;          ///< bytes
  std::string_view text;        ///< as written
};

/// One step of a GPU program.
struct thunk {
  std::int64_t indent = 0;             ///< blanks before it; the thunks of a loop or branch have more
  std::string_view body;               ///< the label above it, `condition` or `body`; empty outside loops and branches
  std::optional<std::int64_t> number;  ///< only in the newer form, like `previous` and `next`
  std::string_view kind;               ///< `kKernel`
  std::optional<std::int64_t> previous;  ///< number of the thunk before it
  std::optional<std::int64_t> next;      ///< number of the thunk after it
  std::string_view description;          ///< free text
  /// The parts of allocations that it uses: the first one and how many. @{
  std::uint32_t first_slice = 0, slice_count = 0;  ///< into `slices`, in text order
  /// @}
  std::string_view text;  ///< the line
};

/// `thunk_sequence.txt`: the steps of a GPU program in the order in which they are launched.
struct thunk_sequence {
  std::vector<thunk> thunks;         ///< in text order
  std::vector<buffer_slice> slices;  ///< those of one thunk are contiguous
};

}  // namespace hlolint
