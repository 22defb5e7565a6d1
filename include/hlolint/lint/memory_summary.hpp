// What a module takes, in numbers small enough to keep: the part of a baseline that is about memory.
#pragma once

#include <hlolint/text/bytes.hpp>

#include <string>

namespace hlolint {

/// In bytes. A number that a dump does not give is 0.
struct memory_summary {
  std::string module;    ///< without its number
  byte_count total = 0;  ///< all allocations
  byte_count temp = 0;   ///< the preallocated temporary ones
  byte_count peak = 0;   ///< the most in use at one schedule position, padding included
  friend bool operator==(const memory_summary&, const memory_summary&) = default;
};

}  // namespace hlolint
