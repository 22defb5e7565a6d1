#include <hlolint/analysis/transfers/transfer_text.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("how messages name a transfer and its place") {
  CHECK(detail::transfer_text(hlo_opcode::all_gather, 112_MiB) == "all-gather of 112.00MiB");
  CHECK(detail::transfer_text(hlo_opcode::all_gather, std::nullopt) == "all-gather");
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n  %n = f32[8]{0} negate(%p)\n"
      "  %s = ((f32[8]{0}), f32[8]{0}, u32[]) all-to-all-start(%n), replica_groups={{0}}, dimensions={0}\n"
      "  ROOT %d = f32[8]{0} all-to-all-done(%s)\n}\n");
  CHECK(detail::position_text(instruction_of(module, "n")) == "position 1 of 4 in main");
  // Of what sugar implies the start is named.
  CHECK(detail::position_text(instruction_of(module, "s").called_computation(0).root()) == "position 2 of 4 in main");
}
