// A program with two values that live at the same time, and dumps of it.
#pragma once

#include "checks/memory_fixtures.hpp"

#include <vector>

namespace hlolint::testing {

/// `a` is read at 3, where it ends; `b` begins at 2.
inline constexpr const char* matched_text =
    "HloModule m, is_scheduled=true\n\nENTRY %e {\n  %p = u8[64]{0} parameter(0)\n"
    "  %a = u8[64]{0} custom-call(%p), custom_call_target=\"k\"\n"
    "  %b = u8[64]{0} custom-call(%p), custom_call_target=\"k\"\n"
    "  ROOT %r = u8[64]{0} custom-call(%a, %b), custom_call_target=\"k\"\n}\n";
/// The dump of the program with these temporaries.
inline buffer_dump dump_of_matched(const std::vector<value_row>& temporaries) {
  return dump_of({{", parameter 0, shape |u8[64]| at ShapeIndex {}", {{"p", 0, 64, 0, 4, {1, 2}}}},
                  {temp, temporaries},
                  {", maybe-live-out", {{"r", 0, 64, 3, 4}}}},
                 3);
}

}  // namespace hlolint::testing
