// The work of a step by the place of the program that asks for it.
#include "analysis/module_of.hpp"

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/analysis/time/exposed_time.hpp>
#include <hlolint/analysis/time/source_of_work.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("work is summed by place and kind over all runs, most time first") {
  const hlo_module module = module_of(R"(HloModule m, is_scheduled=true

body {
  p = (s32[], f32[1048576]{0}) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  x = f32[1048576]{0} get-tuple-element(p), index=1
  y = f32[1048576]{0} negate(x), metadata={op_name="f/neg" source_file="f.py" source_line=7}
  z = f32[1048576]{0} negate(y), metadata={op_name="g/neg" source_file="f.py" source_line=7}
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], f32[1048576]{0}) tuple(j, z)
}

cond {
  q = (s32[], f32[1048576]{0}) parameter(0)
  k = s32[] get-tuple-element(q), index=0
  n = s32[] constant(5)
  ROOT c = pred[] compare(k, n), direction=LT
}

ENTRY main {
  a = f32[1048576]{0} parameter(0)
  zero = s32[] constant(0)
  init = (s32[], f32[1048576]{0}) tuple(zero, a)
  loop = (s32[], f32[1048576]{0}) while(init), condition=cond, body=body, backend_config={"known_trip_count":{"n":"5"}}
  r = f32[1048576]{0} get-tuple-element(loop), index=1
  s = f32[1048576]{0} sine(r), metadata={op_name="h/sin"}
  ROOT u = f32[1048576]{0} custom-call(s), custom_call_target="mystery"
}
)");
  const exposed_time time(module, find_device("h100-sxm").value(), {});
  const work_by_source work(module, time);
  REQUIRE(work.list().size() >= 3);
  const source_work& first = work.list().front();
  CHECK(first.source == "f.py:7");
  CHECK(first.kind == "negate");
  CHECK(first.runs == 10);
  CHECK(first.instructions == 2);
  CHECK(first.longest.name() == "y");
  for (std::size_t i = 1; i < work.list().size(); ++i) CHECK(work.list()[i].seconds <= work.list()[i - 1].seconds);
  CHECK(work.unknown_calls() == 1);
  std::size_t sines = 0;
  for (const source_work& w : work.list()) {
    if (w.kind != "sine") continue;
    ++sines;
    CHECK(w.source == "h/sin");
    CHECK(w.runs == 1);
  }
  CHECK(sines == 1);
}
