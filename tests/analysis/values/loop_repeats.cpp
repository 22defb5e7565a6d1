#include <hlolint/analysis/values/loop_repeats.hpp>

#include "analysis/module_of.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

hlo_module loop_of(const std::string& config) {
  const std::string state = "(s32[], f32[10,8]{1,0}, f32[1,8]{1,0})";
  return module_of(R"(HloModule m

%body {
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
  ROOT %r = (s32[], f32[10,8]{1,0}, f32[1,8]{1,0}) tuple(%next, %table, %twice)
}

%condition {
  %q = (s32[], f32[10,8]{1,0}, f32[1,8]{1,0}) parameter(0)
  ROOT %go = pred[] constant(true)
}

ENTRY %e {
  %in = (s32[], f32[10,8]{1,0}, f32[1,8]{1,0}) parameter(0)
  ROOT %w = )" + state +
                   " while(%in), condition=%condition, body=%body" + config + "\n}\n");
}

}  // namespace

TEST_CASE("loop_repeats: the share of iterations that read what an earlier one has read") {
  const hlo_module module = loop_of(", backend_config={\"known_trip_count\":{\"n\":\"20\"}}");
  const loop_repeats repeats(module);
  const auto of = [&](const char* name) { return repeats.of(instruction_of(module, name)); };
  CHECK(of("kept") == nearly(0.95));  // the same in all 20
  CHECK(of("twice") == nearly(0.5));  // of 10 rows
  CHECK(of("row") == 0);              // by a number that is new in each
  CHECK(of("next") == 0);
  CHECK_FALSE(of("w"));
  CHECK_FALSE(of("in"));
}

TEST_CASE("body_repeats: without a count a loop runs twice, and no bound counts") {
  const hlo_module known = loop_of(", backend_config={\"known_trip_count\":{\"n\":\"20\"}}"), unknown = loop_of("");
  const carried_elements carried(known), others(unknown);
  body_repeats twenty(instruction_of(known, "w"), known.find_computation("body"), carried);
  CHECK(twenty.trips() == 20);
  CHECK(twenty.is_same(instruction_of(known, "kept")));
  CHECK_FALSE(twenty.is_same(instruction_of(known, "twice")));
  CHECK(twenty.values_read(instruction_of(known, "kept")) == 1);
  CHECK(twenty.values_read(instruction_of(known, "twice")) == 10);
  body_repeats two(instruction_of(unknown, "w"), unknown.find_computation("body"), others);
  CHECK(two.trips() == 2);
  CHECK(two.values_read(instruction_of(unknown, "twice")) == 2);
}

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
