#include <hlolint/checks/aliasing/dus_self_overlap.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A fusion that reads a part of its first operand and writes 4 elements at `start` of it.
texts outcome_of(const std::string& slice, const std::string& start, const std::string& base = "%p") {
  return outcome(
      dus_self_overlap{},
      context(module_of("HloModule m, is_scheduled=true\n\n%fused {\n  %p = f32[16]{0} parameter(0)\n"
                        "  %i = s32[] parameter(1)\n"
                        "  %j = s32[] parameter(2)\n  %q = f32[16]{0} parameter(3)\n"
                        "  %zero = s32[] constant(0)\n"
                        "  %one = s32[] constant(1)\n  %eight = s32[] constant(8)\n  %s = f32[4]{0} " +
                        slice + "\n  %n = f32[4]{0} negate(%s)\n  ROOT %u = f32[16]{0} dynamic-update-slice(" + base +
                        ", %n, " + start +
                        ")\n}\n\nENTRY %main {\n  %a = f32[16]{0} parameter(0)\n  %b = s32[] parameter(1)\n"
                        "  %c = s32[] parameter(2)\n"
                        "  %d = f32[16]{0} parameter(3)\n"
                        "  ROOT %f = f32[16]{0} fusion(%a, %b, %c, %d), kind=kLoop, calls=%fused\n}\n")));
}

}  // namespace

TEST_CASE("ALI011 catches") {
  const texts shifted{"warning: u writes into p what s reads from another place of the same buffer"};
  CHECK(outcome_of("slice(%p), slice={[0:4]}", "%one") == shifted);
  CHECK(outcome_of("dynamic-slice(%p, %j), dynamic_slice_sizes={4}", "%i") == shifted);
  CHECK(outcome_of("dynamic-slice(%p, %zero), dynamic_slice_sizes={4}", "%one") == shifted);
}

TEST_CASE("ALI011 does not catch") {
  CHECK(outcome_of("slice(%p), slice={[0:4]}", "%zero").empty());  // the same place
  CHECK(outcome_of("dynamic-slice(%p, %i), dynamic_slice_sizes={4}", "%i").empty());
  CHECK(outcome_of("slice(%p), slice={[0:4]}", "%eight").empty());  // apart
  CHECK(outcome_of("slice(%q), slice={[0:4]}", "%one").empty());    // another array
  CHECK(outcome_of("slice(%p), slice={[0:4]}", "%one", "%q").empty());
}

namespace {

/// A fusion that sees its operand `s32[4,2]` through a bitcast and writes a part of it there.
texts outcome_behind_bitcast(const std::string& seen, const std::string& part, const std::string& slice,
                             const std::string& starts) {
  return outcome(
      dus_self_overlap{},
      context(module_of("HloModule m, is_scheduled=true\n\n%fused {\n  %p = s32[4,2]{1,0} parameter(0)\n"
                        "  %b = " +
                        seen + " bitcast(%p)\n  %s = " + slice + "\n  %n = " + part +
                        " bitcast(%s)\n  %zero = s32[] constant(0)\n"
                        "  %one = s32[] constant(1)\n  %two = s32[] constant(2)\n  %nine = s32[] constant(9)\n"
                        "  ROOT %u = " +
                        seen + " dynamic-update-slice(%b, %n, " + starts +
                        ")\n}\n\nENTRY %main {\n  %a = s32[4,2]{1,0} parameter(0)\n"
                        "  ROOT %f = " +
                        seen + " fusion(%a), kind=kLoop, calls=%fused\n}\n")));
}

}  // namespace

TEST_CASE("ALI011 compares ranges of elements behind bitcasts") {
  const texts shifted{"warning: u writes into p what s reads from another place of the same buffer"};
  const std::string rows = "s32[2,2]{1,0} slice(%p), slice={[0:2], [0:2]}";  // elements 0 to 3
  CHECK(outcome_behind_bitcast("s32[8]{0}", "s32[4]{0}", rows, "%two") == shifted);
  CHECK(outcome_behind_bitcast("s32[8]{0}", "s32[4]{0}", rows, "%zero").empty());  // the same place
  CHECK(outcome_behind_bitcast("s32[8]{0}", "s32[4]{0}", rows, "%nine").empty());  // XLA moves it to 4, apart
  CHECK(outcome_behind_bitcast("s32[1,8]{1,0}", "s32[1,4]{1,0}", rows, "%zero, %one") == shifted);
  // Of equal rank, but row 1 of the one are elements 4 to 7 of the other.
  CHECK(outcome_behind_bitcast("s32[2,4]{1,0}", "s32[1,4]{1,0}", rows, "%one, %zero").empty());
  // No range of elements: a column.
  CHECK(outcome_behind_bitcast("s32[8]{0}", "s32[4]{0}", "s32[4,1]{1,0} slice(%p), slice={[0:4], [0:1]}", "%one")
            .empty());
}
