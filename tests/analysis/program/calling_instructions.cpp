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

TEST_CASE("callers stand before what they call, however often they call it") {
  const hlo_module module = module_of(R"(HloModule m

%exchange (ep: f32[8]) -> f32[8] {
  %ep = f32[8]{0} parameter(0)
  ROOT %ex = f32[8]{0} all-to-all(%ep), replica_groups={{0,1},{2,3}}, dimensions={0}
}

%negated (np: f32[8]) -> f32[8] {
  %np = f32[8]{0} parameter(0)
  ROOT %nn = f32[8]{0} negate(%np)
}

%outer (op: f32[8]) -> f32[8] {
  %op = f32[8]{0} parameter(0)
  %o1 = f32[8]{0} call(%op), to_apply=%negated
  ROOT %o2 = f32[8]{0} fusion(%o1), kind=kLoop, calls=%negated
}

ENTRY %main {
  %p = f32[8]{0} parameter(0)
  %a = ((f32[8]{0}), f32[8]{0}) async-start(%p), calls=%exchange
  %ad = f32[8]{0} async-done(%a)
  %c = f32[8]{0} call(%p), to_apply=%outer
  ROOT %n = f32[8]{0} call(%c), to_apply=%negated
}
)");
  CHECK(names_in(callers_first(module)) == "main exchange outer negated");
  CHECK(names_in(callers_first(calling_instructions(module))) == "main exchange outer negated");
}

TEST_CASE("of a circle of calls the reader drops the one that closes it, and all computations are there") {
  const hlo_module module = faulty_module_of(
      "HloModule m\n\n%leaf {\n  ROOT %lp = f32[8]{0} parameter(0)\n}\n\n"
      "%a {\n  %ap = f32[8]{0} parameter(0)\n  ROOT %ac = f32[8]{0} call(%ap), to_apply=%b\n}\n\n"
      "%b {\n  %bp = f32[8]{0} parameter(0)\n  %bl = f32[8]{0} call(%bp), to_apply=%leaf\n"
      "  ROOT %bc = f32[8]{0} call(%bl), to_apply=%a\n}\n\nENTRY %e {\n  ROOT %p = f32[8]{0} parameter(0)\n}\n");
  CHECK(names_in(callers_first(module)) == "a e b leaf");
}
