#include <hlolint/checks/performance/host_transfer_in_loop.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%h` lies on the host (4 MiB), `%d` on the device (1 MiB).
findings lint_body(const std::string& body, target backend = target::gpu, bool in_loop = true) {
  const std::string carried = "(f32[4,262144]{1,0:S(5)}, f32[1,262144]{1,0})";
  const std::string elements =
      "  %h = f32[4,262144]{1,0:S(5)} get-tuple-element(%bp), index=0\n"
      "  %d = f32[1,262144]{1,0} get-tuple-element(%bp), index=1\n  %z = s32[] constant(0)\n"
      "  %f = f32[] constant(0)\n";
  const std::string run =
      in_loop ? "while(%p), condition=%condition, body=%body, backend_config={\"known_trip_count\":{\"n\":\"24\"}}"
              : "call(%p), to_apply=%body";
  return lint(
      host_transfer_in_loop{},
      context({.hlo = module_of(
                   "HloModule m, is_scheduled=true\n\n%sliced (sp: f32[4,262144]) -> f32[1,262144] {\n"
                   "  %sp = f32[4,262144]{1,0} parameter(0)\n  %sz = s32[] constant(0)\n"
                   "  ROOT %sd = f32[1,262144]{1,0} dynamic-slice(%sp, %sz, %sz), dynamic_slice_sizes={1,262144}\n}\n\n"
                   "%sliced_at (ap: s32[], aq: f32[4,262144]) -> f32[1,262144] {\n  %ap = s32[] parameter(0)\n"
                   "  %aq = f32[4,262144]{1,0} parameter(1)\n  %ab = f32[4,262144]{1,0} bitcast(%aq)\n"
                   "  ROOT %ad = f32[1,262144]{1,0} dynamic-slice(%ab, %ap, %ap), dynamic_slice_sizes={1,262144}\n}\n\n"
                   "%body (bp: (f32[4,262144], f32[1,262144])) -> (f32[4,262144], f32[1,262144]) {\n  %bp = " +
                   carried + " parameter(0)\n" + elements + body +
                   "}\n\n%condition (cp: (f32[4,262144], f32[1,262144])) -> pred[] {\n"
                   "  %cp = " +
                   carried +
                   " parameter(0)\n  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n"
                   "  %p = " +
                   carried + " parameter(0)\n  ROOT %w = " + carried + " " + run + "\n}\n"),
               .target = backend}));
}
const std::string keep = "  ROOT %t = (f32[4,262144]{1,0:S(5)}, f32[1,262144]{1,0}) tuple(%h, %x)\n";
const std::string slice =
    "  %x = f32[1,262144]{1,0} dynamic-slice(%h, %z, %z), dynamic_slice_sizes={1,262144}\n" + keep;

}  // namespace

TEST_CASE("PRF005 catches") {
  SUBCASE("a slice of an array on the host") {
    const findings found = lint_body(slice);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "x");
    CHECK(found[0].bytes == 1_MiB);  // of one run
    CHECK(found[0].message ==
          "dynamic-slice moves 1.00MiB from the host synchronously x 24 iterations (position 5 of 7 in body)");
    CHECK(found[0].related[0].instruction == "w");
  }
  SUBCASE("the same in a fusion") {
    CHECK(lint_body("  %x = f32[1,262144]{1,0} fusion(%h), kind=kLoop, calls=%sliced\n" + keep).size() == 1);
  }
  SUBCASE("the same in a fusion, behind a bitcast, with an index of its own") {
    CHECK(lint_body("  %x = f32[1,262144]{1,0} fusion(%z, %h), kind=kLoop, calls=%sliced_at\n" + keep).size() == 1);
    CHECK(lint_body("  %o = s32[]{:S(5)} constant(1)\n  %w2 = f32[4,262144]{1,0} broadcast(%f), dimensions={}\n"
                    "  %x = f32[1,262144]{1,0} fusion(%o, %w2), kind=kLoop, calls=%sliced_at\n" +
                    keep)
              .empty());
  }
  SUBCASE("an update of an array on the host") {
    const findings found = lint_body(
        "  %u = f32[4,262144]{1,0:S(5)} dynamic-update-slice(%h, %d, %z, %z)\n"
        "  ROOT %t = (f32[4,262144]{1,0:S(5)}, f32[1,262144]{1,0}) tuple(%u, %d)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("dynamic-update-slice moves 1.00MiB to the host") == 0);
  }
}

TEST_CASE("PRF005 does not catch") {
  CHECK(lint_body(slice, target::gpu, false).empty());
  CHECK(lint_body(slice, target::cpu).empty());
  CHECK(lint_body("  %x = f32[1,262144]{1,0} copy(%d)\n" + keep).empty());  // stays on the device
  // An index in the host's memory, or in scalar memory, brings nothing from the host.
  for (const char* const space : {"S(5)", "S(6)"})
    CHECK(lint_body("  %at = s32[]{:T(128)" + std::string(space) +
                        "} constant(0)\n  %w2 = f32[4,262144]{1,0} broadcast(%f), "
                        "dimensions={}\n  %x = f32[1,262144]{1,0} dynamic-slice(%w2, %at, %z), "
                        "dynamic_slice_sizes={1,262144}\n" +
                        keep,
                    target::tpu)
              .empty());
  // asynchronous
  CHECK(lint_body("  %c = (f32[4,262144]{1,0}, f32[4,262144]{1,0:S(5)}, u32[]) copy-start(%h)\n"
                  "  %e = f32[4,262144]{1,0} copy-done(%c)\n  %x = f32[1,262144]{1,0} negate(%d)\n" +
                  keep)
            .empty());
}
