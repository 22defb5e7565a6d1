// The list of thunks a GPU executable runs (buffer_dumps.md 7).
#pragma once

#include <hlolint/text/bytes.hpp>
#include <hlolint/text/optional.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstdint>
#include <string_view>

namespace hlolint {

/// `{index:3, offset:256, size:64}`: a part of an allocation.
struct buffer_slice {
  std::int64_t allocation = 0;  ///< -1: of no allocation
  byte_count offset = 0;  ///< in the allocation
  byte_count size = 0;  ///< bytes
  std::string_view text;  ///< as written
};

/// One step of a GPU program.
struct thunk {
  std::int64_t indent = 0;             ///< blanks before it; deeper ones belong to a loop or branch
  std::string_view body;               ///< the label above: `condition`, `body`; empty outside
  optional<std::int64_t> number;       ///< printed in the newer form, like `previous` and `next`
  std::string_view kind;               ///< `kKernel`
  optional<std::int64_t> previous;     ///< as printed, like the next one
  optional<std::int64_t> next;         ///< as printed
  std::string_view description;        ///< free text, without the neighbours
  /// The parts of allocations it works on: the first one and how many. @{
  std::uint32_t first_slice = 0, slice_count = 0;  ///< into `slices`, in text order
  /// @}
  std::string_view text;               ///< the line
};

/// `thunk_sequence.txt`: the steps of a GPU program in the order in which they are launched.
struct thunk_sequence {
  record_list<thunk> thunks;  ///< in text order
  record_list<buffer_slice> slices;  ///< those of one thunk are contiguous
};

}  // namespace hlolint
