#include <hlolint/checks/performance/stack_read_in_part.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string in_place = "  %s = f32[64,262144]{1,0} fusion(%ys, %y, %i), kind=kLoop, calls=%update\n";

/// A loop that stacks 64 rows of 1 MiB; `in_body` may read the stack `%ys`, `behind` reads the stack `%all`.
findings lint_loop(const std::string& behind, const std::string& in_body = {}, const std::string& written = in_place) {
  const std::string state = "(s32[], f32[262144]{0}, f32[64,262144]{1,0})";
  return lint(
      stack_read_in_part{},
      context(
          {.hlo = module_of(
               "HloModule m, is_scheduled=true\n\n%c {\n  %t = " + state +
               " parameter(0)\n  %i = s32[] get-tuple-element(%t), index=0\n  %n = s32[] constant(64)\n"
               "  ROOT %l = pred[] compare(%i, %n), direction=LT\n}\n\n%update {\n"
               "  %whole = f32[64,262144]{1,0} parameter(0)\n  %row = f32[262144]{0} parameter(1)\n"
               "  %at = s32[] parameter(2)\n  %zero = s32[] constant(0)\n  %one = f32[1,262144]{1,0} bitcast(%row)\n"
               "  ROOT %done = f32[64,262144]{1,0} dynamic-update-slice(%whole, %one, %at, %zero)\n}\n\n%on_stream {\n"
               "  %whole = f32[64,262144]{1,0} parameter(0)\n  %row = f32[262144]{0} parameter(1)\n"
               "  %at = s32[] parameter(2)\n  ROOT %done = f32[64,262144]{1,0} fusion(%whole, %row, %at), kind=kLoop, "
               "calls=%update\n}\n\n%b {\n  %t = " +
               state +
               " parameter(0)\n  %i = s32[] get-tuple-element(%t), index=0\n"
               "  %x = f32[262144]{0} get-tuple-element(%t), index=1\n"
               "  %ys = f32[64,262144]{1,0} get-tuple-element(%t), index=2\n  %one = s32[] constant(1)\n"
               "  %next = s32[] add(%i, %one)\n  %y = f32[262144]{0} tanh(%x)\n" +
               in_body + written + "  ROOT %r = " + state +
               " tuple(%next, %y, %s)\n}\n\n%last {\n  %p = f32[64,262144]{1,0} parameter(0)\n"
               "  %cut = f32[1,262144]{1,0} slice(%p), slice={[63:64], [0:262144]}\n"
               "  ROOT %flat = f32[262144]{0} bitcast(%cut)\n}\n\nENTRY %main {\n  %p = f32[262144]{0} parameter(0)\n"
               "  %z = s32[] constant(0)\n  %begin = f32[64,262144]{1,0} custom-call(), "
               "custom_call_target=\"AllocateBuffer\"\n  %state = " +
               state + " tuple(%z, %p, %begin)\n  %loop = " + state +
               " while(%state), condition=%c, body=%b\n"
               "  %all = f32[64,262144]{1,0} get-tuple-element(%loop), index=2\n" +
               behind + "}\n")}));
}

const std::string last = "  ROOT %end = f32[262144]{0} fusion(%all), kind=kLoop, calls=%last\n";

}  // namespace

TEST_CASE("PRF021 catches") {
  const findings found = lint_loop(last);
  REQUIRE(found.size() == 1);
  CHECK(found[0].rule == "PRF021");
  CHECK(found[0].instruction == "loop");
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].message == "the loop stacks f32[64,262144]{1,0} (64.00MiB) in element 2, of which 1.6 % is read");
  CHECK(found[0].bytes == 63_MiB);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].instruction == "cut");
  // A part at an index that is computed.
  CHECK(lint_loop("  ROOT %end = f32[1,262144]{1,0} dynamic-slice(%all, %z, %z), dynamic_slice_sizes={1,262144}\n")
            .size() == 1);
  // On another stream of a GPU.
  CHECK(lint_loop(last, {},
                  "  %start = ((f32[64,262144]{1,0}, f32[262144]{0}, s32[]), f32[64,262144]{1,0}, u32[]) "
                  "async-start(%ys, %y, %i), calls=%on_stream\n"
                  "  %s = f32[64,262144]{1,0} async-done(%start)\n")
            .size() == 1);
  const findings parts = lint_loop(
      "  %part = u32[] partition-id()\n  %id = s32[] convert(%part)\n"
      "  ROOT %end = f32[1,262144]{1,0} dynamic-slice(%all, %id, %z), dynamic_slice_sizes={1,262144}\n");
  REQUIRE(parts.size() == 1);
  CHECK(parts[0].advice.starts_with("Each device keeps its own part"));
}

TEST_CASE("PRF021 does not catch") {
  CHECK(lint_loop("  ROOT %end = f32[64,262144]{1,0} negate(%all)\n").empty());
  CHECK(lint_loop("  ROOT %end = (f32[64,262144]{1,0}) tuple(%all)\n").empty());
  CHECK(lint_loop("  ROOT %end = f32[262144]{0} negate(%p)\n").empty());  // nothing is read
  // More than a quarter of it is read, or it is read in the loop.
  CHECK(lint_loop("  ROOT %end = f32[32,262144]{1,0} slice(%all), slice={[0:32], [0:262144]}\n").empty());
  CHECK(lint_loop(last, "  %old = f32[1,262144]{1,0} dynamic-slice(%ys, %i, %i), dynamic_slice_sizes={1,262144}\n")
            .empty());
  CHECK(lint_loop("  %half = f32[64,262144]{1,0} copy(%all)\n  %sum = f32[64,262144]{1,0} add(%half, %half)\n" + last)
            .empty());
}
