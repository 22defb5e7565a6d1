#include <hlolint/checks/memory/async_operand_overwritten.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

// Positions: p 0, n 1, s 2, m 3, d 4, t 5.
const std::string module_text =
    "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %n = f32[8]{0} negate(%p)\n"
    "  %s = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%n)\n  %m = f32[8]{0} sine(%p)\n  %d = f32[8]{0} copy-done(%s)\n"
    "  ROOT %t = (f32[8]{0}, f32[8]{0}) tuple(%d, %m)\n}\n";

texts outcome_of(const value_row& n, const value_row& m) {
  return paired_outcome(async_operand_overwritten{}, module_text, {{temp, {n, m}}});
}

}  // namespace

TEST_CASE("MEM010 catches") {
  CHECK(outcome_of({"n", 0, 32, 1, 2, {2}}, {"m", 0, 32, 3, 6, {}}) ==
        texts{"error: m (bytes 0 to 32 of allocation 0, live 3-6 by the HLO, 3-6 by the dump) overwrites n (bytes 0 to "
              "32 of allocation 0, live "
              "1-4 by the HLO, 1-2 by the dump), which is in flight until d"});
}

TEST_CASE("MEM010 does not catch") {
  CHECK(outcome_of({"n", 0, 32, 1, 4, {2}}, {"m", 32, 32, 3, 6, {}}).empty());
  CHECK(outcome_of({"n", 0, 32, 1, 4, {2}}, {"m", 0, 32, 3, 6, {}}).empty());  // MEM001
}
