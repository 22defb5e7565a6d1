// How the library stops where others throw exceptions, so that it compiles without them.
#pragma once

#include <cstdlib>
#include <new>

namespace hlolint::detail {

/// For a mistake in a table of the library: not `constexpr`, so that the compiler stops at a table that it makes.
[[noreturn]] inline void stop_at_wrong_table(const char* /*what*/) { std::abort(); }

/// As operator new does it.
[[noreturn]] inline void stop_without_memory() {
#ifdef __cpp_exceptions
  throw std::bad_alloc();
#else
  std::abort();
#endif
}

}  // namespace hlolint::detail
