#include <hlolint/analysis/program/sole_operations.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("what an instruction does alone or in a fusion of its own") {
  const hlo_module module = module_of(R"(HloModule m

%wrapped (wp: f32[8,1]) -> f32[8] {
  %wp = f32[8,1]{1,0} parameter(0)
  %wc = f32[8,1]{1,0} copy(%wp)
  ROOT %wb = f32[8]{0} bitcast(%wc)
}

%several (sp: f32[8,1]) -> f32[8,1] {
  %sp = f32[8,1]{1,0} parameter(0)
  %sn = f32[8,1]{1,0} negate(%sp)
  ROOT %sc = f32[8,1]{1,0} copy(%sn)
}

ENTRY %main {
  %p = f32[8,1]{1,0} parameter(0)
  %one = f32[8]{0} fusion(%p), kind=kLoop, calls=%wrapped
  %two = f32[8,1]{1,0} fusion(%p), kind=kLoop, calls=%several
  ROOT %n = f32[8,1]{1,0} negate(%two)
}
)");
  const sole_operations sole(module);
  CHECK(sole.of(instruction_of(module, "one")).name() == "wc");
  CHECK_FALSE(sole.of(instruction_of(module, "two")));
  CHECK(sole.of(instruction_of(module, "n")).name() == "n");
}
