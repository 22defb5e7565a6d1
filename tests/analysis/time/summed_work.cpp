#include <hlolint/analysis/time/summed_work.hpp>

#include "analysis/work_of_text.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

hlo_module summed_program() {
  return module_of(R"(HloModule m, is_scheduled=true

%body {
  %p = (s32[], f32[1048576]{0}) parameter(0)
  %i = s32[] get-tuple-element(%p), index=0
  %x = f32[1048576]{0} get-tuple-element(%p), index=1
  %n = f32[1048576]{0} negate(%x)
  ROOT %t = (s32[], f32[1048576]{0}) tuple(%i, %n)
}

%condition {
  %q = (s32[], f32[1048576]{0}) parameter(0)
  ROOT %go = pred[] constant(true)
}

%short {
  %sp = f32[1048576]{0} parameter(0)
  ROOT %sn = f32[1048576]{0} negate(%sp)
}

%long {
  %lp = f32[1048576]{0} parameter(0)
  %l1 = f32[1048576]{0} negate(%lp)
  ROOT %l2 = f32[1048576]{0} negate(%l1)
}

ENTRY %e {
  %in = (s32[], f32[1048576]{0}) parameter(0)
  %k = pred[] parameter(1)
  %w = (s32[], f32[1048576]{0}) while(%in), condition=%condition, body=%body,
      backend_config={"known_trip_count":{"n":"5"}}
  %v = (s32[], f32[1048576]{0}) while(%w), condition=%condition, body=%body
  %y = f32[1048576]{0} get-tuple-element(%v), index=1
  %b = f32[1048576]{0} conditional(%k, %y, %y), true_computation=%short, false_computation=%long
  %g = f32[2097152]{0} all-gather(%b), replica_groups={{0,1}}, dimensions={0}
  ROOT %f = f32[1048576]{0} custom-call(%b), custom_call_target="mystery"
}
)");
}

}  // namespace

TEST_CASE("summed_work: loops by their counts, of branches the slowest, no transfers") {
  const hlo_module module = summed_program();
  const work_times times(module, find_device("h100-sxm").value());
  detail::summed_work sums(times, module, 3);
  const auto of = [&](const char* name) { return instruction_of(module, name); };
  const double negate = times.of(of("n")).seconds, call = times.of(of("f")).seconds;
  REQUIRE(negate > 0);
  CHECK(sums.of(of("n")) == negate);
  CHECK(sums.of(module.find_computation("body")) == negate);
  CHECK(sums.with_calls(of("w")) == nearly(5 * negate));
  CHECK(sums.with_calls(of("v")) == nearly(3 * negate));  // as often as was assumed
  CHECK(sums.with_calls(of("b")) == nearly(2 * negate));
  CHECK(sums.with_calls(of("g")) == 0);
  CHECK(sums.of(module.entry()) == nearly(10 * negate + call));
  CHECK(detail::summed_work(sums, 1).of(module.entry()) == nearly(8 * negate + call));
}

TEST_CASE("summed_work: what multiplies or is not known is noted once") {
  const hlo_module module = summed_program();
  const work_times times(module, find_device("h100-sxm").value());
  detail::summed_work sums(times, module, 1);
  CHECK(sums.noted().empty());
  for (int k = 0; k < 2; ++k) sums.of(instruction_of(module, "f")), sums.of(instruction_of(module, "n"));
  REQUIRE(sums.noted().size() == 1);
  CHECK(sums.noted()[0].instruction == instruction_of(module, "f").id());
  CHECK(sums.noted()[0].unknown);
}
