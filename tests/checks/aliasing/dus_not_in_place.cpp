#include <hlolint/checks/aliasing/dus_not_in_place.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A loop that updates a row of what it carries; `base` is what is updated.
std::string loop_text(const std::string& base, const std::string& copied = "copy(%old)",
                      const std::string& row = "f32[1,4096]{1,0}") {
  const std::string big = "f32[4096,4096]{1,0}", state = "(s32[], " + big + ", " + row + ")";
  return "HloModule m, is_scheduled=true\n\n%body {\n  %s = " + state +
         " parameter(0)\n  %i = s32[] get-tuple-element(%s), index=0\n  %old = " + big +
         " get-tuple-element(%s), index=1\n  %row = " + row +
         " get-tuple-element(%s), index=2\n  %zero = s32[] constant(0)\n  %c = " + big + " " + copied +
         "\n  %u = " + big + " dynamic-update-slice(" + base + ", %row, %i, %zero)\n  ROOT %t = " + state +
         " tuple(%i, %u, %row)\n}\n\n%condition {\n  %cs = " + state +
         " parameter(0)\n  ROOT %r = pred[] constant(false)\n}\n\nENTRY %main {\n"
         "  %p = " +
         state + " parameter(0)\n  ROOT %w = " + state + " while(%p), condition=%condition, body=%body\n}\n";
}
texts outcome_of(const std::string& text, const dus_not_in_place& check = {}) {
  return outcome(check, context(module_of(text)));
}

}  // namespace

TEST_CASE("ALI012 catches") {
  CHECK(outcome_of(loop_text("%c")) == texts{"warning: u updates 16.0KiB of c, a copy of 64.00MiB in each iteration"});
}

TEST_CASE("ALI012 does not catch") {
  CHECK(outcome_of(loop_text("%old")).empty());
  CHECK(outcome_of(loop_text("%c", "negate(%old)")).empty());                       // a new array, not a copy
  CHECK(outcome_of(loop_text("%c", "copy(%old)", "f32[2048,4096]{1,0}")).empty());  // half of it
  CHECK(outcome_of(loop_text("%c"), {.min_bytes = 128_MiB}).empty());
  // Outside of a loop it happens once.
  CHECK(outcome_of("HloModule m, is_scheduled=true\n\nENTRY %main {\n  %p = f32[4096,4096]{1,0} parameter(0)\n"
                   "  %row = f32[1,4096]{1,0} parameter(1)\n"
                   "  %i = s32[] parameter(2)\n  %c = f32[4096,4096]{1,0} copy(%p)\n"
                   "  ROOT %u = f32[4096,4096]{1,0} dynamic-update-slice(%c, %row, "
                   "%i, %i)\n}\n")
            .empty());
}
