// How the library stops where others throw exceptions, so that it compiles without them.
#pragma once

#include <cstdlib>
#include <new>

namespace hlolint::detail {

/// Stops compilation on a mistake in a table of the library, because it is not `constexpr`.
[[noreturn]] inline void stop_at_wrong_table(const char* /*what*/) { std::abort(); }

/// Stops as operator new does.
[[noreturn]] inline void stop_without_memory() {
#ifdef __cpp_exceptions
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

}  // namespace hlolint::detail
