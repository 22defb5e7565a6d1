#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/parse.hpp>
#include <hlolint/tool/compare/module_diff.hpp>
#include <hlolint/tool/compare/module_summary_of.hpp>

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
        "all other lines: 318 us -> 446 us\n"
        "add in all: 9.17 ms -> 18.3 ms\ncompare in all: 64.0 us -> 128 us\n");
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

namespace {

/// Elementwise work and a call of unknown time.
module_summary with_call(const std::string& target, const std::string& config, const std::string& more = {}) {
  context::parts parts;
  parts.hlo = module_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[67108864]{0} parameter(0)\n" +
                        more + "  %call.1 = f32[67108864]{0} custom-call(%p), custom_call_target=\"" + target +
                        "\", backend_config=\"" + config + "\"\n  ROOT %s = f32[67108864]{0} sine(%call.1)\n}\n");
  parts.target = target::gpu;
  return module_summary_of(context(std::move(parts)), *find_device("h100-sxm"));
}
const std::string more_work = "  %w = f32[67108864]{0} negate(%p)\n  %v = f32[67108864]{0} cosine(%w)\n";
/// The changes of time, as `verdict text`.
std::vector<std::string> of_time(const module_summary& before, const module_summary& after) {
  std::vector<std::string> out;
  for (const module_change& c : diff(before, after))
    if (c.kind == change_kind::time) out.push_back(std::string(name_of(c.verdict)) + " " + c.text.substr(0, 60));
  return out;
}

}  // namespace

TEST_CASE("diff: a call of unknown time that changed is named, and makes the side with it a lower bound") {
  using lines = std::vector<std::string>;
  const module_summary one = with_call("pfft3d", "cont");
  CHECK(of_time(one, one).empty());
  CHECK(of_time(one, with_call("pfft3d", "noncont")) == lines{"changed pfft3d changed; its time is not known"});
  CHECK(of_time(one, with_call("other", "cont")) ==
        lines{"changed other is new; its time is not known", "changed pfft3d is gone; its time is not known"});
  // The same call on both sides: the rest of the step is compared.
  const module_summary longer = with_call("pfft3d", "cont", more_work);
  CHECK(of_time(longer, one) == lines{"better estimated step takes less time on h100-sxm, 1 call is unknow"});
  // Only the new side has the call: what is less may be more in truth, and what is more is more.
  module_summary without = longer;
  without.time->unknown_calls.clear();
  const std::string bound = "estimated step without what is not known; it may have changed the other way";
  CHECK(of_time(without, one) ==
        lines{"changed pfft3d is new; its time is not known", "changed " + bound.substr(0, 60)});
  without = one;
  without.time->unknown_calls.clear();
  CHECK(of_time(without, longer)[0].starts_with("worse estimated step takes longer"));
  CHECK(of_time(longer, without)[0].starts_with("better estimated step takes less time"));
}

TEST_CASE("diff: what waits for a network of a guessed rate keeps its mark") {
  const auto gathered = [](const std::string& size, double network) {
    context::parts parts;
    parts.hlo = module_of("HloModule m, is_scheduled=true, num_partitions=16\n\nENTRY %main {\n  %p = f32[1," + size +
                          "]{1,0} parameter(0)\n"
                          "  ROOT %g = f32[16," +
                          size +
                          "]{1,0} all-gather(%p), channel_id=1, replica_groups=[1,16]<=[16], dimensions={0}, "
                          "use_global_device_ids=true\n}\n");
    parts.target = target::gpu;
    device on = *find_device("h100-sxm");
    on.network_rate *= network;
    return module_summary_of(context(std::move(parts)), on);
  };
  const std::vector<module_change> found = diff(gathered("1048576", 1), gathered("4194304", 1));
  REQUIRE_FALSE(found.empty());
  CHECK(found[0].number->is_rough);
  CHECK(found[0].text.find("guess for the rate of the network") != std::string::npos);
  const std::vector<module_change> measured = diff(gathered("1048576", 2), gathered("4194304", 2));
  REQUIRE_FALSE(measured.empty());
  CHECK_FALSE(measured[0].number->is_rough);
}

TEST_CASE("diff: lines that grew and lines that shrank are listed, and add up to the work") {
  module_summary before = with_call("c", ""), after = before;
  before.time->origins.by_source = {{"a.py:1", 900'000'000}, {"b.py:2", 100'000'000}};
  after.time->origins.by_source = {{"a.py:1", 300'000'000}, {"b.py:2", 400'000'000}};
  before.time->origins.by_kind.clear(), after.time->origins.by_kind.clear();
  before.time->compute = before.time->step = 1'000'000'000;
  after.time->compute = after.time->step = 710'000'000;
  const std::vector<module_change> found = diff(before, after);
  REQUIRE(found.size() == 1);
  CHECK(numbers_of(found[0]) ==
        "step: 1000 ms -> 710 ms\nwork: 1000 ms -> 710 ms\na.py:1: 900 ms -> 300 ms\nb.py:2: 100 ms -> 400 ms\n"
        "all other lines: 0 us -> 10.0 ms\n");
}
