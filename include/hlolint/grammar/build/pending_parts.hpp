// What a builder holds of parts that are not finished yet, and a mark of how far reading was when one began.
#pragma once

#include <hlolint/ir/module_data.hpp>
#include <hlolint/text/record_list.hpp>

#include <cstddef>
#include <string_view>

namespace hlolint::build {

/// A computation that an instruction calls, as it is written.
struct named_call {
  id computation = none;
  std::string_view name;
};
/// A call of a computation that comes later in the text, if at all.
struct unresolved_call {
  id slot = none;
  std::string_view name;
};

/// How far the pools were when a part began that may fail.
struct pool_mark {
  std::size_t computations = 0, instructions = 0, operands = 0, attributes = 0, called = 0, names = 0, faults = 0,
              unresolved = 0;
};
/// How far the stacks were.
struct mark {
  std::size_t open = 0, pending = 0, operands = 0, attributes = 0, calls = 0, broken = 0, depth = 0;
};

/// The records of a pool from there to its end.
template <class Records>
id_range range_from(std::size_t first, const Records& pool) {
  return {static_cast<id>(first), static_cast<id>(pool.size() - first)};
}
/// Moves the records of a finished part from a stack into a pool. Their place there.
template <class Record>
id_range move_from(record_list<Record>& stack, std::size_t first, record_list<Record>& pool) {
  const id_range range{static_cast<id>(pool.size()), static_cast<id>(stack.size() - first)};
  pool.append(stack.begin() + first, stack.end());
  stack.resize(first);
  return range;
}

}  // namespace hlolint::build
