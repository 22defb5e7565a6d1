#include <hlolint/analysis/device/device.hpp>
#include <hlolint/compare/module_diff.hpp>
#include <hlolint/compare/module_summary_of.hpp>
#include <hlolint/parse.hpp>

#include "analysis/module_of.hpp"
#include "diff_fixture.hpp"
#include "nearly.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::compare;
using namespace hlolint::testing;

namespace {

/// A loop that adds to 256 MiB, and a sine of as much after it.
std::string step_of(const std::string& trips) {
  return R"(HloModule jit_step, is_scheduled=true, entry_computation_layout={(f32[67108864]{0})->f32[67108864]{0}}

%body (b: (s32[], f32[67108864])) -> (s32[], f32[67108864]) {
  %b = (s32[], f32[67108864]{0}) parameter(0)
  %i = s32[] get-tuple-element(%b), index=0
  %x = f32[67108864]{0} get-tuple-element(%b), index=1
  %one = s32[] constant(1)
  %next = s32[] add(%i, %one)
  %y = f32[67108864]{0} add(%x, %x), metadata={op_name="jit(step)/while/body/add" source_file="train.py" source_line=9}
  ROOT %t = (s32[], f32[67108864]{0}) tuple(%next, %y)
}

%condition (c: (s32[], f32[67108864])) -> pred[] {
  %c = (s32[], f32[67108864]{0}) parameter(0)
  %j = s32[] get-tuple-element(%c), index=0
  %most = s32[] constant()" +
         trips + R"()
  ROOT %less = pred[] compare(%j, %most), direction=LT
}

ENTRY %main (p: f32[67108864]) -> f32[67108864] {
  %p = f32[67108864]{0} parameter(0)
  %zero = s32[] constant(0)
  %init = (s32[], f32[67108864]{0}) tuple(%zero, %p)
  %while.1 = (s32[], f32[67108864]{0}) while(%init), condition=%condition, body=%body
  %z = f32[67108864]{0} get-tuple-element(%while.1), index=1
  ROOT %sine.1 = f32[67108864]{0} sine(%z), metadata={op_name="jit(step)/sin" source_file="train.py" source_line=12}
}
)";
}

module_summary summary_of(const std::string& trips, const device& on) {
  context::parts parts;
  parts.hlo = module_of(step_of(trips));
  parts.target = target::gpu;
  return module_summary_of(context(std::move(parts)), on);
}

}  // namespace

TEST_CASE("diff: a loop that runs twice as often takes twice as long, and the line in it is named") {
  const device on = *find_device("h100-sxm");
  const module_summary once = summary_of("32", on), twice = summary_of("64", on);
  REQUIRE(once.time);
  const std::vector<module_change> found = diff(once, twice);
  REQUIRE(found.size() == 1);
  const module_change& change = found[0];
  CHECK(change.kind == change_kind::time);
  CHECK(change.verdict == change_verdict::worse);
  CHECK(change.text == "estimated step takes longer on h100-sxm");
  REQUIRE(change.number);
  CHECK(change.number->before == once.time->step);
  CHECK(change.number->after == twice.time->step);
  // The sine after the loop runs once on both sides: of the rest twice as much.
  std::int64_t sine = 0;
  for (const origin_summary& o : once.time->origins.by_source)
    if (o.name == "train.py:12") sine = o.amount;
  CHECK(sine > 0);
  const double ratio = static_cast<double>(twice.time->step - sine) / static_cast<double>(once.time->step - sine);
  CHECK(ratio == nearly(2).epsilon(0.01));
  CHECK(numbers_of(change) ==
        "step: 9.43 ms -> 18.7 ms\nwork: 9.43 ms -> 18.7 ms\ntrain.py:9: 9.11 ms -> 18.2 ms\n"
        "add in all: 9.17 ms -> 18.3 ms\ncompare in all: 0.064 ms -> 0.128 ms\n");
  CHECK(change.with[1].after == nearly(2.0 * static_cast<double>(change.with[1].before)).epsilon(0.001));
  CHECK(difference_text(*change.number).find("%") != std::string::npos);

  CHECK(diff(twice, once)[0].verdict == change_verdict::better);
  CHECK(diff(once, once).empty());
}

TEST_CASE("diff: without a device only the ratio of times") {
  const device on = relative_device(false);
  const std::vector<module_change> found = diff(summary_of("32", on), summary_of("64", on));
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].number);
  CHECK(found[0].text.find("1.9") != std::string::npos);
  CHECK(found[0].text.find("times as long") != std::string::npos);
}

TEST_CASE("diff: times on two devices, of what is not scheduled, and within the tolerance are not compared") {
  const module_summary one = summary_of("32", *find_device("h100-sxm")), other = summary_of("64", *find_device("v100"));
  CHECK(diff(one, other).empty());
  module_summary without = one;
  without.time.reset();
  CHECK(diff(one, without).empty());
  diff_options options;
  options.tolerance.ratio = 1.5;
  CHECK(diff(one, summary_of("64", *find_device("h100-sxm")), options).empty());
  module_summary little = one;
  little.time->step += 9'999;
  CHECK(diff(one, little).empty());
}
