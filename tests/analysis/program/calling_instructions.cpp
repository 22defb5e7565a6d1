#include <hlolint/analysis/program/calling_instructions.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the instructions that call") {
  const hlo_module module = module_of(R"(HloModule m

%leaf (lp: f32[8]) -> f32[8] {
  %lp = f32[8]{0} parameter(0)
  ROOT %ln = f32[8]{0} negate(%lp)
}

%middle (mp: f32[8]) -> f32[8] {
  %mp = f32[8]{0} parameter(0)
  %m1 = f32[8]{0} call(%mp), to_apply=%leaf
  %m2 = f32[8]{0} negate(%m1)
  ROOT %m3 = f32[8]{0} fusion(%m2), kind=kLoop, calls=%leaf
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %a = f32[8]{0} call(%p), to_apply=%middle
  ROOT %b = f32[8]{0} negate(%a)
}
)");
  const calling_instructions calling(module);
  std::string all, middle;
  for (const id at : calling.all()) all += std::string(module.instruction(at).name()) + ' ';
  for (const id at : calling.in(module.find_computation("middle")))
    middle += std::string(module.instruction(at).name()) + ' ';
  CHECK(all == "m1 m3 a ");
  CHECK(middle == "m1 m3 ");
  CHECK(calling.in(module.find_computation("leaf")).empty());
}
