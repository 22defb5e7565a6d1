#include <hlolint/analysis/values/same_results.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("same_results: the same operations on the same operands") {
  const hlo_module module = module_of(R"(HloModule m

%f {
  %fx = f32[4]{0} parameter(0)
  ROOT %fn = f32[4]{0} negate(%fx)
}

%g {
  %gx = f32[4]{0} parameter(0)
  ROOT %gn = f32[4]{0} negate(%gx)
}

%h {
  %hx = f32[4]{0} parameter(0)
  ROOT %hn = f32[4]{0} abs(%hx)
}

ENTRY %e {
  %p = f32[4]{0} parameter(0)
  %q = f32[4]{0} parameter(1)
  %pc = f32[4]{0} copy(%p)
  %a1 = f32[4]{0} subtract(%p, %q)
  %a2 = f32[4]{0} subtract(%pc, %q), metadata={op_name="other"}
  %a3 = f32[4]{0} subtract(%q, %p)
  %c1 = f32[4]{0} constant({1, 2, 3, 4})
  %c2 = f32[4]{0} constant({1, 2, 3, 4})
  %c3 = f32[4]{0} constant({...})
  %c4 = f32[4]{0} constant({...})
  %f1 = f32[4]{0} fusion(%p), kind=kLoop, calls=%f
  %f2 = f32[4]{0} fusion(%p), kind=kLoop, calls=%g
  %f3 = f32[4]{0} fusion(%p), kind=kLoop, calls=%h
  %g1 = f32[8]{0} all-gather(%a1), channel_id=1, replica_groups={{0,1}}, dimensions={0}
  %g2 = f32[8]{0} all-gather(%a2), channel_id=2, replica_groups={{0,1}}, dimensions={0}
  %g3 = f32[8]{0} all-gather(%a2), channel_id=3, replica_groups={{1,0}}, dimensions={0}
  %cut1 = f32[2]{0} slice(%p), slice={[0:2]}
  %cut2 = f32[2]{0} slice(%p), slice={[2:4]}
  %x1 = f32[4]{0} custom-call(%p), custom_call_target="f"
  ROOT %x2 = f32[4]{0} custom-call(%p), custom_call_target="f"
}
)");
  const auto same = [&](const char* a, const char* b) {
    const bool out = same_results::of(instruction_of(module, a), instruction_of(module, b));
    CHECK(same_results::of(instruction_of(module, b), instruction_of(module, a)) == out);
    return out;
  };
  CHECK(same("p", "p"));
  CHECK(same("p", "pc"));
  CHECK_FALSE(same("p", "q"));
  CHECK(same("a1", "a2"));
  CHECK_FALSE(same("a1", "a3"));
  CHECK(same("c1", "c2"));
  CHECK_FALSE(same("c3", "c4"));  // not known
  CHECK(same("f1", "f2"));
  CHECK_FALSE(same("f1", "f3"));
  CHECK(same("g1", "g2"));
  CHECK_FALSE(same("g1", "g3"));
  CHECK_FALSE(same("cut1", "cut2"));
  CHECK_FALSE(same("x1", "x2"));  // may have effects
  CHECK(same_results::same_meaning(instruction_of(module, "g1"), instruction_of(module, "g3")));
  CHECK_FALSE(same_results::same_meaning(instruction_of(module, "cut1"), instruction_of(module, "cut2")));
}
