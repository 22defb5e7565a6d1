#include <hlolint/lint/finding_costs.hpp>

#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/checks/aliasing/dus_not_in_place.hpp>
#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/performance/debug_leftover.hpp>
#include <hlolint/checks/performance/large_constant.hpp>
#include <hlolint/checks/performance/layout_copy.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string state = "(s32[], f32[4096,4096]{1,0}, f32[4096,4096]{0,1})";

/// A loop of so many iterations with a transpose of 64 MiB in it, and one after it.
std::string text_of(int iterations, const std::string& in_body = {}) {
  return "HloModule m, is_scheduled=true\n\n%body {\n  %p = " + state +
         " parameter(0)\n  %i = s32[] get-tuple-element(%p), index=0\n"
         "  %x = f32[4096,4096]{1,0} get-tuple-element(%p), index=1\n  %one = s32[] constant(1)\n"
         "  %next = s32[] add(%i, %one)\n  %turned = f32[4096,4096]{0,1} copy(%x)\n" + in_body +
         "  %read = f32[4096,4096]{0,1} negate(%turned)\n  ROOT %t = " + state + " tuple(%next, %x, %read)\n}\n\n%condition {\n  %p = " + state +
         " parameter(0)\n  %i = s32[] get-tuple-element(%p), index=0\n  %n = s32[] constant(" +
         std::to_string(iterations) + ")\n  ROOT %go = pred[] compare(%i, %n), direction=LT\n}\n\n" +
         "ENTRY %main {\n  %in = f32[4096,4096]{1,0} parameter(0)\n  %zero = s32[] constant(0)\n"
         "  %once = f32[4096,4096]{0,1} copy(%in)\n  %read = f32[4096,4096]{0,1} negate(%once)\n  %init = " +
         state + " tuple(%zero, %in, %read)\n  ROOT %w = " + state +
         " while(%init), condition=%condition, body=%body\n}\n";
}

context::parts parts_of(const std::string& text, const char* device = nullptr) {
  context::parts parts;
  parts.hlo = module_of(text);
  parts.target = target::gpu;
  if (device) parts.device = find_device(device);
  return parts;
}

std::optional<double> amount(const diagnostic& d, impact_unit unit) {
  for (const finding_impact& one : d.impacts)
    if (one.unit == unit) return one.amount;
  return std::nullopt;
}

const diagnostic& about(const findings& list, std::string_view instruction) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const diagnostic& d) { return d.instruction == instruction; });
  REQUIRE(found != list.end());
  return *found;
}

constexpr double mib = 1048576;
// A copy of 64 MiB on h100-sxm: read and written at 85 % of 3352 GB/s, and what every kernel costs.
constexpr double copy_seconds = 2 * 64 * mib / (0.85 * 3352e9) + 2e-6;

}  // namespace

TEST_CASE("a finding has the bytes of one run, and the cost of all") {
  const findings found = lint(layout_copy{}, context(parts_of(text_of(9), "h100-sxm")));
  const diagnostic &turned = about(found, "turned"), &once = about(found, "once");
  CHECK(turned.bytes == 64_MiB);
  CHECK(once.bytes == 64_MiB);
  CHECK(amount(turned, impact_unit::moved_bytes) == doctest::Approx(9 * 64 * mib));
  CHECK(amount(once, impact_unit::moved_bytes) == doctest::Approx(64 * mib));
  CHECK(amount(turned, impact_unit::seconds) == doctest::Approx(9 * copy_seconds));
  CHECK(amount(once, impact_unit::seconds) == doctest::Approx(copy_seconds));
  CHECK(!amount(turned, impact_unit::resident_bytes));
  REQUIRE(turned.impact);
  CHECK(turned.impact->unit == impact_unit::seconds);
  REQUIRE(turned.time_shares.size() == 1);
  CHECK(turned.time_shares[0].amount == doctest::Approx(9 * copy_seconds));
}

TEST_CASE("doubling a loop's count doubles the cost of what is inside") {
  const findings nine = lint(layout_copy{}, context(parts_of(text_of(9), "h100-sxm"))),
                 eighteen = lint(layout_copy{}, context(parts_of(text_of(18), "h100-sxm")));
  for (const impact_unit unit : {impact_unit::seconds, impact_unit::moved_bytes}) {
    CHECK(*amount(about(eighteen, "turned"), unit) == doctest::Approx(2 * *amount(about(nine, "turned"), unit)));
    CHECK(*amount(about(eighteen, "once"), unit) == doctest::Approx(*amount(about(nine, "once"), unit)));
  }
}

TEST_CASE("without a device time is compared, and bytes are what matters") {
  const findings found = lint(layout_copy{}, context(parts_of(text_of(9))));
  const diagnostic& turned = about(found, "turned");
  CHECK(!amount(turned, impact_unit::seconds));
  CHECK(amount(turned, impact_unit::relative_time) ==
        doctest::Approx(9 * *amount(about(found, "once"), impact_unit::relative_time)));
  REQUIRE(turned.impact);
  CHECK(turned.impact->unit == impact_unit::moved_bytes);
}

TEST_CASE("what costs memory and time has an entry for both") {
  const std::string update =
      "  %again = f32[4096,4096]{1,0} copy(%x)\n  %row = f32[1,4096]{1,0} constant({...})\n"
      "  %z = s32[] constant(0)\n  %put = f32[4096,4096]{1,0} dynamic-update-slice(%again, %row, %i, %z)\n";
  const findings found = lint(dus_not_in_place{}, context(parts_of(text_of(9, update), "h100-sxm")));
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == 64_MiB);
  CHECK(amount(found[0], impact_unit::resident_bytes) == doctest::Approx(64 * mib));
  CHECK(amount(found[0], impact_unit::seconds) == doctest::Approx(9 * copy_seconds));  // of the copy
  CHECK(!amount(found[0], impact_unit::moved_bytes));
}

TEST_CASE("a callback costs its bytes over the link to the host") {
  const std::string call =
      "  %c = f32[4096,4096]{1,0} custom-call(%x), custom_call_target=\"xla_ffi_python_gpu_callback\"\n";
  const findings found = lint(debug_leftover{}, context(parts_of(text_of(3, call), "h100-sxm")));
  REQUIRE(found.size() == 1);
  CHECK(amount(found[0], impact_unit::seconds) == doctest::Approx(3 * (2 * 64 * mib / 50e9 + 2e-6)));
}

TEST_CASE("a constant is memory") {
  const std::string text =
      "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %c = f32[4096,4096]{1,0} constant({...})\n"
      "  ROOT %n = f32[4096,4096]{1,0} negate(%c)\n}\n";
  const findings found = lint(large_constant{}, context(parts_of(text, "h100-sxm")));
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].impacts.size() == 1);
  CHECK(found[0].impacts[0].unit == impact_unit::resident_bytes);
}
