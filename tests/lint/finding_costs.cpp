#include <hlolint/lint/finding_costs.hpp>

#include <hlolint/analysis/device/device.hpp>
#include <hlolint/analysis/device/device_presets.hpp>
#include <hlolint/checks/aliasing/dus_not_in_place.hpp>
#include <hlolint/checks/collectives/empty_overlap_window.hpp>
#include <hlolint/checks/collectives/sync_collective.hpp>
#include <hlolint/checks/padding/tile_padding.hpp>
#include <hlolint/checks/performance/host_callback.hpp>
#include <hlolint/checks/performance/f64_on_accelerator.hpp>
#include <hlolint/checks/performance/large_constant.hpp>
#include <hlolint/checks/performance/layout_copy.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"
#include "nearly.hpp"

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
         "  %next = s32[] add(%i, %one)\n  %turned = f32[4096,4096]{0,1} copy(%x)\n" +
         in_body + "  %read = f32[4096,4096]{0,1} negate(%turned)\n  ROOT %t = " + state +
         " tuple(%next, %x, %read)\n}\n\n%condition {\n  %p = " + state +
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
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const diagnostic& d) { return d.instruction == instruction; });
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
  CHECK(amount(turned, impact_unit::moved_bytes) == nearly(9 * 64 * mib));
  CHECK(amount(once, impact_unit::moved_bytes) == nearly(64 * mib));
  CHECK(amount(turned, impact_unit::seconds) == nearly(9 * copy_seconds));
  CHECK(amount(once, impact_unit::seconds) == nearly(copy_seconds));
  CHECK(!amount(turned, impact_unit::resident_bytes));
  REQUIRE(turned.impact);
  CHECK(turned.impact->unit == impact_unit::seconds);
  REQUIRE(turned.time_shares.size() == 1);
  CHECK(turned.time_shares[0].amount == nearly(9 * copy_seconds));
}

TEST_CASE("doubling a loop's count doubles the cost of what is inside") {
  const findings nine = lint(layout_copy{}, context(parts_of(text_of(9), "h100-sxm"))),
                 eighteen = lint(layout_copy{}, context(parts_of(text_of(18), "h100-sxm")));
  for (const impact_unit unit : {impact_unit::seconds, impact_unit::moved_bytes}) {
    CHECK(*amount(about(eighteen, "turned"), unit) == nearly(2 * *amount(about(nine, "turned"), unit)));
    CHECK(*amount(about(eighteen, "once"), unit) == nearly(*amount(about(nine, "once"), unit)));
  }
}

TEST_CASE("without a device time is compared, and bytes are what matters") {
  const findings found = lint(layout_copy{}, context(parts_of(text_of(9))));
  const diagnostic& turned = about(found, "turned");
  CHECK(!amount(turned, impact_unit::seconds));
  CHECK(amount(turned, impact_unit::relative_time) ==
        nearly(9 * *amount(about(found, "once"), impact_unit::relative_time)));
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
  CHECK(amount(found[0], impact_unit::resident_bytes) == nearly(64 * mib));
  CHECK(amount(found[0], impact_unit::seconds) == nearly(9 * copy_seconds));  // of the copy
  CHECK(amount(found[0], impact_unit::moved_bytes) == nearly(9 * 64 * mib));
  REQUIRE(found[0].impact);
  CHECK(found[0].impact->unit == impact_unit::resident_bytes);
}

TEST_CASE("a callback costs its bytes over the link to the host") {
  const std::string call =
      "  %c = f32[4096,4096]{1,0} custom-call(%x), custom_call_target=\"xla_ffi_python_gpu_callback\"\n";
  const findings found = lint(host_callback{}, context(parts_of(text_of(3, call), "h100-sxm")));
  REQUIRE(found.size() == 1);
  CHECK(amount(found[0], impact_unit::seconds) == nearly(3 * (2 * 64 * mib / 50e9 + 2e-6)));
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

TEST_CASE("a transfer whose start and done are both named counts once, a loop as what is in it") {
  // 3 iterations; an all-gather of 64 MiB of f64 with nothing beside it, and its result negated.
  const std::string of = "(s32[], f64[2097152]{0})";
  const std::string text =
      "HloModule m, is_scheduled=true, num_partitions=4\n\n%body {\n  %p = " + of +
      " parameter(0)\n"
      "  %i = s32[] get-tuple-element(%p), index=0\n  %x = f64[2097152]{0} get-tuple-element(%p), index=1\n"
      "  %one = s32[] constant(1)\n  %next = s32[] add(%i, %one)\n"
      "  %s = (f64[2097152]{0}, f64[8388608]{0}) all-gather-start(%x), channel_id=1, replica_groups={{0,1,2,3}}, "
      "dimensions={0}, use_global_device_ids=true\n  %d = f64[8388608]{0} all-gather-done(%s)\n"
      "  %n = f64[8388608]{0} negate(%d)\n  ROOT %t = " +
      of + " tuple(%next, %x)\n}\n\n%condition {\n  %p = " + of +
      " parameter(0)\n  %i = s32[] get-tuple-element(%p), index=0\n  %limit = s32[] constant(3)\n"
      "  ROOT %go = pred[] compare(%i, %limit), direction=LT\n}\n\nENTRY %main {\n"
      "  %in = f64[2097152]{0} parameter(0)\n  %zero = s32[] constant(0)\n  %init = " +
      of + " tuple(%zero, %in)\n  ROOT %w = " + of + " while(%init), condition=%condition, body=%body\n}\n";
  const auto list = as_catalogue(f64_on_accelerator{});
  const findings found = lint(list, context(parts_of(text, "h100-sxm")), all_settings(list));
  REQUIRE(found.size() == 1);
  // Half of what is written in three iterations: 64 MiB gathered, 64 MiB negated.
  CHECK(found[0].bytes == 3 * 64_MiB);
  const double gather = 3 * 16 * mib / (375e9 * (1 - 0.64 / 4)) + (25 + 1.3 * 4) * 1e-6;
  CHECK(amount(found[0], impact_unit::seconds) == nearly(3 * 0.5 * (gather + copy_seconds)));
  CHECK(found[0].time_shares.size() == 2);
}

TEST_CASE("where no time is known there is none, in place of zero") {
  // Cut off before the entry.
  const std::string whole = text_of(9);
  const findings found = lint(layout_copy{}, context(parts_of(whole.substr(0, whole.find("ENTRY")), "h100-sxm")));
  for (const diagnostic& d : found) {
    CHECK(!amount(d, impact_unit::seconds));
    CHECK(amount(d, impact_unit::moved_bytes));
  }
}

TEST_CASE("padding on the chip costs no time of the main memory") {
  const auto waste_of_n = [](const char* space) {
    const std::string array = "bf16[1024,1024,8]{2,1,0:T(8,128)(2,1)";
    const std::string call = " custom-call(", rest = "), custom_call_target=\"c\"\n";
    const std::string text = "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = " + array +
                             "} parameter(0)\n  %n = " + array + space + "}" + call + "%p" + rest +
                             "  ROOT %r = bf16[8]{0}" + call + "%n" + rest + "}\n";
    context::parts parts = parts_of(text, "tpu-v6e");
    parts.target = target::tpu;
    return about(lint(tile_padding{}, context(std::move(parts))), space[0] ? "n" : "p");
  };
  const diagnostic on_chip = waste_of_n("S(1)"), in_main = waste_of_n("");
  CHECK(amount(on_chip, impact_unit::seconds) == 0);
  CHECK(!amount(on_chip, impact_unit::moved_bytes));
  // In the main memory %p and %n are of one shape, and there at the same time.
  CHECK(2 * amount(on_chip, impact_unit::resident_bytes).value() == amount(in_main, impact_unit::resident_bytes));
  CHECK(amount(in_main, impact_unit::seconds) > 0.0);
}

TEST_CASE("padding costs what is written and read: an update in place moves little of it") {
  const auto seconds_with = [](const std::string& user) {
    const std::string array = "bf16[1024,1024,8]{2,1,0:T(8,128)(2,1)}", row = "bf16[1,1024,8]{2,1,0:T(8,128)(2,1)}";
    const std::string text =
        "HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = " + array + " parameter(0)\n  %u = " + row +
        " parameter(1)\n  %k = s32[] parameter(2)\n  %z = s32[] constant(0)\n  ROOT %r = " + array + " " + user +
        "\n}\n";
    context::parts parts = parts_of(text, "tpu-v5e");
    parts.target = target::tpu;
    return amount(about(lint(tile_padding{}, context(std::move(parts))), "p"), impact_unit::seconds).value_or(-1);
  };
  const double whole = seconds_with("negate(%p)"), part = seconds_with("dynamic-update-slice(%p, %u, %k, %z, %z)");
  CHECK(whole > 0);
  CHECK(part >= 0);
  CHECK(part < 0.01 * whole);
}
