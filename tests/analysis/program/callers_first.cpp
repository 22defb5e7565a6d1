#include <hlolint/analysis/program/callers_first.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

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
