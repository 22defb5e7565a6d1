// Which transfers are under way when another one starts.
#pragma once

#include <hlolint/analysis/transfers/async_windows.hpp>
#include <hlolint/ir/module.hpp>

namespace hlolint::detail {

/// Whether an earlier window of the same computation is still open at `start`. Precondition: the window has a done.
inline bool is_in_flight(const async_window& earlier, hlo_instruction start) {
  return earlier.start.computation() == start.computation() && earlier.start.id() < start.id() &&
         earlier.done.id() > start.id();
}

}  // namespace hlolint::detail
