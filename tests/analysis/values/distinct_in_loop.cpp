#include <hlolint/analysis/values/distinct_in_loop.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("distinct_in_loop: a slice of what stays the same has as many values as places to begin at") {
  const hlo_module module = module_of(R"(HloModule m

%pick {
  %t = f32[10,8]{1,0} parameter(0)
  %at = s32[] parameter(1)
  %z = s32[] constant(0)
  %slice = f32[1,8]{1,0} dynamic-slice(%t, %at, %z), dynamic_slice_sizes={1,8}
  %minus = f32[1,8]{1,0} negate(%slice)
  ROOT %several = (f32[1,8]{1,0}, s32[]) tuple(%minus, %at)
}

ENTRY %body {
  %p = (s32[], f32[10,8]{1,0}, f32[1,8]{1,0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %table = f32[10,8]{1,0} get-tuple-element(%p), index=1
  %x = f32[1,8]{1,0} get-tuple-element(%p), index=2
  %zero = s32[] constant(0)
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %row = f32[1,8]{1,0} dynamic-slice(%table, %i, %zero), dynamic_slice_sizes={1,8}
  %twice = f32[1,8]{1,0} add(%row, %row)
  %kept = f32[10,8]{1,0} negate(%table)
  %four = f32[4,8]{1,0} dynamic-slice(%table, %i, %zero), dynamic_slice_sizes={4,8}
  %second = f32[1,8]{1,0} dynamic-slice(%table, %next, %zero), dynamic_slice_sizes={1,8}
  %both = f32[1,8]{1,0} add(%row, %second)
  %less = pred[] compare(%i, %next), direction=LT
  %mixed = f32[1,8]{1,0} add(%row, %x)
  %fused = (f32[1,8]{1,0}, s32[]) fusion(%table, %i), kind=kLoop, calls=%pick
  %first = f32[1,8]{1,0} get-tuple-element(%fused), index=0
  %other = s32[] get-tuple-element(%fused), index=1
  %random = f32[1,8]{1,0} custom-call(%row), custom_call_target="f"
  ROOT %r = (s32[], f32[10,8]{1,0}, f32[1,8]{1,0}) tuple(%next, %table, %mixed)
}
)");
  const carried_elements carried(module);
  const loop_invariants invariants(module.entry(), carried);
  const distinct_in_loop distinct(module.entry(), invariants);
  const auto of = [&](const char* name) { return distinct.of(instruction_of(module, name)); };
  CHECK(of("table") == 1);
  CHECK(of("kept") == 1);
  CHECK(of("i") == distinct_in_loop::many);
  CHECK(of("row") == 10);
  CHECK(of("twice") == 10);
  CHECK(of("four") == 7);
  CHECK(of("both") == 100);
  CHECK(of("less") == 2);
  CHECK(of("mixed") == distinct_in_loop::many);
  CHECK(of("first") == 10);
  CHECK(of("other") == distinct_in_loop::many);
  CHECK(of("random") == distinct_in_loop::many);
}
