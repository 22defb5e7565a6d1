#include <hlolint/analysis/values/loop_invariants.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("what is the same in every iteration") {
  const hlo_module module = module_of(R"(HloModule m

ENTRY %body {
  %p = (s32[], f32[8], f32[8], f32[8]) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %kept = f32[8]{0} get-tuple-element(%p), index=1
  %from3 = f32[8]{0} get-tuple-element(%p), index=2
  %from2 = f32[8]{0} get-tuple-element(%p), index=3
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %twice = f32[8]{0} add(%kept, %kept)
  %gathered = f32[16]{0} all-gather(%twice), dimensions={0}
  %mixed = f32[8]{0} add(%kept, %from2)
  %called = f32[8]{0} custom-call(%kept), custom_call_target="f"
  %passed = f32[8]{0} copy(%kept)
  ROOT %t = (s32[], f32[8]{0}, f32[8]{0}, f32[8]{0}) tuple(%next, %passed, %from2, %from3)
}
)");
  const carried_elements carried(module);
  const loop_invariants invariants(module.entry(), carried);
  for (const char* const name : {"kept", "one", "twice", "gathered", "passed"}) {
    INFO(name);
    CHECK(invariants.contains(instruction_of(module, name)));
  }
  // counted, swapped, mixed with what is swapped, or with effects
  for (const char* const name : {"p", "i", "next", "from2", "from3", "mixed", "called"}) {
    INFO(name);
    CHECK_FALSE(invariants.contains(instruction_of(module, name)));
  }
  CHECK(carried.of(instruction_of(module, "passed")) == 1);
  CHECK_FALSE(carried.of(instruction_of(module, "twice")));
}

TEST_CASE("root_elements: which element of a loop's result an instruction is, through bitcasts") {
  const hlo_module module = module_of(R"(HloModule m

%body {
  %p = (s32[], f32[4]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = f32[4]{0} get-tuple-element(%p), index=1
  %sum = f32[2,2]{1,0} reshape(%x)
  %flat = f32[4]{0} bitcast(%sum)
  %unused = f32[4]{0} negate(%x)
  ROOT %t = (s32[], f32[4]{0}) tuple(%i, %flat)
}

%condition {
  %q = (s32[], f32[4]{0}) parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %e {
  %in = (s32[], f32[4]{0}) parameter(0)
  ROOT %w = (s32[], f32[4]{0}) while(%in), condition=%condition, body=%body
}
)");
  const root_elements elements(module);
  const auto of = [&](const char* name) { return elements.of(instruction_of(module, name)); };
  CHECK(of("i").reached);
  CHECK(of("i").element == 0);
  CHECK(of("flat").element == 1);
  CHECK(of("sum").element == 1);
  CHECK_FALSE(of("x").reached);
  CHECK_FALSE(of("unused").reached);
  CHECK(of("t").reached);
  CHECK_FALSE(of("t").element);
  CHECK(of("go").reached);
  CHECK_FALSE(of("w").reached);  // the entry is no loop's
}
