#include <hlolint/checks/collectives/allreduce_in_accumulation.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A loop that carries a sum and a gradient, 1 MiB each; `body` makes `%next` out of `%sum` and `%grad`.
findings lint_body(const std::string& body) {
  const std::string carried = "(f32[262144]{0}, f32[262144]{0})";
  const auto list = as_catalogue(allreduce_in_accumulation{});
  return lint(list,
              context(module_of(
                  "HloModule m, is_scheduled=true\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
                  "  %a = f32[] parameter(0)\n"
                  "  %b = f32[] parameter(1)\n  ROOT %ab = f32[] add(%a, %b)\n}\n\n"
                  "%fused (fp: f32[262144], fq: f32[262144]) -> f32[262144] {\n"
                  "  %fp = f32[262144]{0} parameter(0)\n"
                  "  %fq = f32[262144]{0} parameter(1)\n  %fc = f32[262144]{0} convert(%fq)\n"
                  "  ROOT %fs = f32[262144]{0} add(%fc, %fp)\n}\n\n"
                  "%body (bp: (f32[262144], f32[262144])) -> (f32[262144], f32[262144]) {\n  %bp = " +
                  carried +
                  " parameter(0)\n"
                  "  %sum = f32[262144]{0} get-tuple-element(%bp), index=0\n"
                  "  %old = f32[262144]{0} get-tuple-element(%bp), index=1\n  %grad = f32[262144]{0} negate(%old)\n" +
                  body + "  ROOT %t = " + carried +
                  " tuple(%next, %grad)\n}\n\n"
                  "%condition (cp: (f32[262144], f32[262144])) -> pred[] {\n  %cp = " +
                  carried +
                  " parameter(0)\n"
                  "  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = " +
                  carried +
                  " parameter(0)\n"
                  "  ROOT %w = " +
                  carried +
                  " while(%p), condition=%condition, body=%body, "
                  "backend_config={\"known_trip_count\":{\"n\":\"8\"}}\n}\n")),
              all_settings(list));
}
const std::string reduced = "  %r = f32[262144]{0} all-reduce(%grad), replica_groups={}, to_apply=%add\n";

}  // namespace

TEST_CASE("COL014 catches") {
  const findings found = lint_body(reduced + "  %next = f32[262144]{0} add(%sum, %r)\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "r");
  CHECK(found[0].bytes == 1_MiB);  // of one run
  CHECK(found[0].message ==
        "all-reduce of 1.00MiB x 8 iterations is added to element 0 of the loop (position 4 of 7 in body)");
  CHECK(found[0].related[0].instruction == "w");
  // in a fusion, from an asynchronous one
  const findings fused = lint_body(
      "  %s = f32[262144]{0} all-reduce-start(%grad), replica_groups={}, to_apply=%add\n"
      "  %r = f32[262144]{0} all-reduce-done(%s)\n"
      "  %next = f32[262144]{0} fusion(%sum, %r), kind=kLoop, calls=%fused\n");
  REQUIRE(fused.size() == 1);
  CHECK(fused[0].instruction == "s");
  // A mean over devices, added to zero in the first iteration.
  const std::string constants =
      "  %eighth = f32[] constant(0.125)\n  %eighths = f32[262144]{0} broadcast(%eighth), dimensions={}\n"
      "  %zero = f32[] constant(0)\n  %zeros = f32[262144]{0} broadcast(%zero), dimensions={}\n"
      "  %first = pred[262144]{0} custom-call(), custom_call_target=\"first\"\n";
  CHECK(lint_body(reduced + constants +
                  "  %mean = f32[262144]{0} multiply(%r, %eighths)\n"
                  "  %from = f32[262144]{0} select(%first, %zeros, %sum)\n"
                  "  %next = f32[262144]{0} add(%from, %mean)\n")
            .size() == 1);
  // A sum that fades needs each iteration's part at its time, and so does a value that may be replaced.
  CHECK(lint_body(reduced + constants +
                  "  %faded = f32[262144]{0} multiply(%eighths, %sum)\n"
                  "  %next = f32[262144]{0} add(%faded, %r)\n")
            .empty());
  CHECK(lint_body(reduced + constants +
                  "  %finite = f32[262144]{0} select(%first, %zeros, %r)\n"
                  "  %next = f32[262144]{0} add(%sum, %finite)\n")
            .empty());
}

TEST_CASE("COL014 does not catch") {
  CHECK(lint_body(reduced + "  %next = f32[262144]{0} multiply(%sum, %r)\n").empty());
  CHECK(lint_body(reduced + "  %next = f32[262144]{0} add(%grad, %r)\n").empty());  // nothing carried
  CHECK(lint_body("  %next = f32[262144]{0} add(%sum, %grad)\n").empty());
  CHECK(lint_body("  %next = f32[262144]{0} fusion(%sum, %grad), kind=kLoop, calls=%fused\n").empty());
}
