// A small scheduled module and buffer dumps that belong to it, right or wrong, for rules that read both.
#pragma once

#include "buffer_text.hpp"
#include "memory_fixtures.hpp"

namespace hlolint::testing {

/// Positions: p 0, n 1, m 2, k 3, a 4, t 5.
inline std::string small_module(const std::string& results = "%a", const std::string& header = {}) {
  return "HloModule small, is_scheduled=true" + header + "\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %n = f32[8]{0} negate(%p)\n"
         "  %m = f32[8]{0} sine(%p)\n  %k = f32[8]{0} cosine(%m)\n  %a = f32[8]{0} add(%n, %k)\n  ROOT %t = (f32[8]{0}" +
         (results.find(',') == std::string::npos ? "" : ", f32[8]{0}") + ") tuple(" + results + ")\n}\n";
}

/// What a check says of a module and the rows of its dump, notes included.
template <class Check>
texts paired_outcome(const Check& check, const std::string& module, const std::vector<allocation_rows>& allocations) {
  return outcome(check, context(module_of(module), dump_of(allocations, 5)));
}

inline const std::string temp = ", preallocated-temp", live_out = ", maybe-live-out";

}  // namespace hlolint::testing
