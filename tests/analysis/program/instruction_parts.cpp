#include <hlolint/analysis/program/instruction_parts.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the shape of an operand: its own, else the one written before its name") {
  const hlo_module module = module_of(
      "HloModule m\n\nENTRY %e {\n  %p = f32[8,1]{1,0} parameter(0)\n  %bare = negate(%p)\n"
      "  %n = f32[8,1]{1,0} negate(f32[8,1]{1,0} %p)\n  %w = f32[8,1]{1,0} negate(f32[8,1]{1,0} %bare)\n"
      "  ROOT %r = f32[8,1]{1,0} negate(%bare)\n}\n");
  const hlo_instruction n = instruction_of(module, "n"), w = instruction_of(module, "w");
  CHECK(shape_of_operand(n, 0) == n.operand(0).shape());
  CHECK(shape_of_operand(n, 0)->rank() == 2);
  CHECK(shape_of_operand(n, 1) == nullptr);
  REQUIRE(shape_of_operand(w, 0));
  CHECK(shape_of_operand(w, 0) == w.operand_shape(0));
  CHECK(shape_of_operand(instruction_of(module, "r"), 0) == nullptr);
}

TEST_CASE("the computation that is called first") {
  const hlo_module module = module_of(
      "HloModule m\n\n%c {\n  %cp = f32[8]{0} parameter(0)\n  ROOT %go = pred[] constant(true)\n}\n\n"
      "%b {\n  ROOT %bp = f32[8]{0} parameter(0)\n}\n\nENTRY %e {\n  %p = f32[8]{0} parameter(0)\n"
      "  ROOT %w = f32[8]{0} while(%p), condition=%c, body=%b\n}\n");
  CHECK(first_called(instruction_of(module, "w")).name() == "c");
  CHECK_FALSE(first_called(instruction_of(module, "p")));
}

TEST_CASE("operations that only move elements") {
  using enum hlo_opcode;
  for (const hlo_opcode moves : {bitcast, copy, reshape, transpose}) CHECK(keeps_elements(moves));
  for (const hlo_opcode changes : {negate, convert, broadcast, slice, reverse}) CHECK_FALSE(keeps_elements(changes));
}
