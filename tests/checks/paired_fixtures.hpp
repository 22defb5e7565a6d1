// A small scheduled module and buffer dumps that belong to it, right or wrong, for rules that read both.
#pragma once

#include "checks/buffer_text.hpp"
#include "checks/memory_fixtures.hpp"

namespace hlolint::testing {

/// Positions: p 0, n 1, m 2, k 3, a 4, t 5.
inline std::string small_module(const std::string& results = "%a", const std::string& header = {}) {
  return "HloModule small, is_scheduled=true" + header +
         "\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %n = f32[8]{0} negate(%p)\n"
         "  %m = f32[8]{0} sine(%p)\n  %k = f32[8]{0} cosine(%m)\n  %a = f32[8]{0} add(%n, %k)\n  ROOT %t = "
         "(f32[8]{0}" +
         (results.find(',') == std::string::npos ? "" : ", f32[8]{0}") + ") tuple(" + results + ")\n}\n";
}

/// The rows as a dump whose schedule is the module's, which has less than ten instructions.
inline buffer_dump paired_dump(const hlo_module& module, const std::vector<allocation_rows>& allocations) {
  const auto count = static_cast<std::int64_t>(module.entry().instruction_count());
  std::string text = dump_text(allocations, count - 1);
  for (std::int64_t t = 0; t < count; ++t) {
    const std::string unnamed = "op." + std::to_string(t),
                      name(module.entry().instruction(static_cast<std::size_t>(t)).name());
    for (std::size_t at = text.find(unnamed); at != std::string::npos; at = text.find(unnamed, at + name.size()))
      text.replace(at, unnamed.size(), name);
  }
  return buffers_of(text);
}

/// What a check finds in a module and the rows of its dump, notes included.
template <class Check>
texts paired_outcome(const Check& check, const std::string& text, const std::vector<allocation_rows>& allocations) {
  const hlo_module module = module_of(text);
  return outcome(check, context(module, paired_dump(module, allocations)));
}

inline const std::string live_out = ", maybe-live-out";

}  // namespace hlolint::testing
