// toml++ without its own assertions. Some of them fail on texts that it refuses a few lines later (`[[[a]]]`), and
// where NDEBUG is defined a compiler would take them for true.
#pragma once

#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <cassert>  // by the NDEBUG of this program again
