// A dump with an allocation of each kind.
#pragma once

#include "checks/memory_fixtures.hpp"

namespace hlolint::testing {

inline buffer_dump dump_of_all_kinds() {
  return dump_of({{", parameter 0, shape |u8[100]| at ShapeIndex {}", {{"p", 0, 100, 0, 21}}},
                  {temp, {{"a", 0, 64, 1, 3, {3}}, {"b", 64, 32, 2, 5, {5}}}},
                  {", maybe-live-out", {{"r", 0, 32, 6, 21}}},
                  {", constant", {value_row{"k", 0, 16, 0, 0, {}, {}, {}, {}, false}}},
                  {", thread-local", {value_row{"x", 0, 4, 0, 0, {}, {}, {}, {}, false}}},
                  {"", {{"t", 0, 8, 6, 21}}}});
}

}  // namespace hlolint::testing
