// The memory of a module in a few numbers, kept in baselines.
#pragma once

#include <hlolint/text/bytes.hpp>

#include <string>

namespace hlolint {

/// Bytes; 0 if unknown.
struct memory_summary {
  std::string module;    ///< without its number
  byte_count total = 0;  ///< all allocations that count in the need
  byte_count temp = 0;   ///< the preallocated temporary ones of them
  byte_count peak = 0;   ///< the most in use at one schedule position, padding included
  friend bool operator==(const memory_summary&, const memory_summary&) = default;
};

}  // namespace hlolint
