#include <hlolint/checks/collectives/unpaired_async.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_entry(const std::string& body, const std::string& computations = {}) {
  return lint(unpaired_async{},
              module_of("HloModule m\n\n%add (a: f32[], b: f32[]) -> f32[] {\n"
                        "  %a = f32[] parameter(0)\n"
                        "  %b = f32[] parameter(1)\n  ROOT %sum = f32[] add(%a, %b)\n}\n\n" +
                        computations + "ENTRY %main {\n  %p = f32[8]{0} parameter(0)\n" + body + "}\n"));
}

const std::string start = "  %s = f32[8]{0} all-reduce-start(%p), replica_groups={}, to_apply=%add\n";
const std::string done = "  %d = f32[8]{0} all-reduce-done(%s)\n";
const std::string end = "  ROOT %r = f32[8]{0} negate(%p)\n";
const std::string exchange =
    "%exchange (ep: f32[8]) -> f32[8] {\n  %ep = f32[8]{0} parameter(0)\n"
    "  ROOT %ex = f32[8]{0} all-to-all(%ep), replica_groups={}, dimensions={0}\n}\n\n";
const std::string async_start = "  %s = ((f32[8]{0}), f32[8]{0}) async-start(%p), calls=%exchange\n";
const std::string carrying_loop =
    "%body (bp: (f32[8], f32[8])) -> (f32[8], f32[8]) {\n  %bp = (f32[8]{0}, f32[8]{0}) parameter(0)\n"
    "  %in = f32[8]{0} get-tuple-element(%bp), index=0\n  %bd = f32[8]{0} all-reduce-done(%in)\n"
    "  %bs = f32[8]{0} all-reduce-start(%bd), replica_groups={}, to_apply=%add\n"
    "  ROOT %bt = (f32[8]{0}, f32[8]{0}) tuple(%bs, %bd)\n}\n\n"
    "%condition (cp: (f32[8], f32[8])) -> pred[] {\n  %cp = (f32[8]{0}, f32[8]{0}) parameter(0)\n"
    "  ROOT %go = pred[] constant(false)\n}\n\n";

}  // namespace

TEST_CASE("COL004 catches") {
  SUBCASE("a start without done") {
    const findings found = lint_entry(start + end);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::error);
    CHECK(found[0].instruction == "s");
    CHECK(found[0].message == "nothing waits for this all-reduce-start (position 1 of 3 in main)");
  }
  SUBCASE("two dones") {
    const findings found = lint_entry(start + done + "  %d2 = f32[8]{0} all-reduce-done(%s)\n" + end);
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("2 instructions use this all-reduce-start, expected only its done") == 0);
    REQUIRE(found[0].related.size() == 2);
    CHECK(found[0].related[1].instruction == "d2");
  }
  SUBCASE("a user that does not wait") {
    const findings found = lint_entry(start + "  ROOT %r = f32[8]{0} negate(%s)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].message.find("negate uses the unfinished result") == 0);
    CHECK(found[0].related[0].instruction == "r");
  }
  SUBCASE("a done of something else") {
    const findings found = lint_entry("  %n = f32[8]{0} negate(%p)\n  ROOT %d = f32[8]{0} all-reduce-done(%n)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "d");
    CHECK(found[0].message.find("this all-reduce-done follows no all-reduce-start but negate n") == 0);
  }
  SUBCASE("a done of another kind of start: both ends") {
    const findings found = lint_entry(start + "  ROOT %d = f32[8]{0} copy-done(%s)\n");
    REQUIRE(found.size() == 2);
    CHECK(found[0].instruction == "s");
    CHECK(found[1].instruction == "d");
  }
  SUBCASE("async-start with two dones, and an update that leads nowhere") {
    CHECK(
        lint_entry(async_start + "  %d = f32[8]{0} async-done(%s)\n  %d2 = f32[8]{0} async-done(%s)\n" + end, exchange)
            .size() == 1);
    const findings orphan = lint_entry(
        async_start + "  %u = ((f32[8]{0}), f32[8]{0}) async-update(%s)\n  %d = f32[8]{0} negate(%p)\n" + end,
        exchange);
    REQUIRE(orphan.size() == 1);
    CHECK(orphan[0].instruction == "u");
  }
}

TEST_CASE("COL004 catches who reads an element of a start") {
  const std::string copy_start = "  %s = (f32[8]{0}, f32[8]{0}, u32[]) copy-start(%p)\n";
  const std::string copy_done = "  %d = f32[8]{0} copy-done(%s)\n";
  const auto reader = [](const std::string& body) {
    const findings found = lint_entry(body, exchange);
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "s");
    return found[0].message.substr(0, found[0].message.find(" ("));
  };
  CHECK(reader(copy_start + "  ROOT %r = f32[8]{0} negate(%s#0)\n") ==
        "negate uses the unfinished result of this copy-start");
  CHECK(reader(copy_start + copy_done + "  %n = f32[8]{0} negate(%s#0)\n  ROOT %r = f32[8]{0} add(%n, %d)\n") ==
        "negate uses the unfinished result of this copy-start");
  CHECK(reader(copy_start + "  %c = f32[8]{0} copy(%s#0)\n  ROOT %r = f32[8]{0} negate(%c)\n") ==
        "negate uses the unfinished result of this copy-start");
  CHECK(reader(copy_start + "  %t = ((f32[8]{0}, f32[8]{0}, u32[]), f32[8]{0}) tuple(%s, %p)\n"
                            "  ROOT %r = f32[8]{0} negate(%t#0#0)\n") ==
        "negate uses the unfinished result of this copy-start");
  CHECK(reader(copy_start + "  %g = f32[8]{0} get-tuple-element(%s), index=0\n" + end) ==
        "nothing waits for this copy-start");
  CHECK(reader(async_start + "  %n = f32[8]{0} negate(%s#1)\n  %d = f32[8]{0} async-done(%s)\n" + end) ==
        "negate uses the unfinished result of this async-start");
  // Another element of a tuple is no unfinished result.
  CHECK(lint_entry(copy_start + "  %t = ((f32[8]{0}, f32[8]{0}, u32[]), f32[8]{0}) tuple(%s, %p)\n"
                                "  %n = f32[8]{0} negate(%t#1)\n  ROOT %d = f32[8]{0} copy-done(%t#0)\n")
            .empty());
}

TEST_CASE("COL004 does not catch") {
  CHECK(lint_entry(start + done + end).empty());
  CHECK(lint_entry(async_start + "  %u = ((f32[8]{0}), f32[8]{0}) async-update(%s)\n"
                                 "  ROOT %d = f32[8]{0} async-done(%u)\n",
                   exchange)
            .empty());
  // carried by a loop: started before it, finished and started again in it, finished after it
  CHECK(lint_entry(
            start + "  %t = (f32[8]{0}, f32[8]{0}) tuple(%s, %p)\n"
                    "  %w = (f32[8]{0}, f32[8]{0}) while(%t), condition=%condition, body=%body\n"
                    "  %out = f32[8]{0} get-tuple-element(%w), index=0\n  ROOT %d = f32[8]{0} all-reduce-done(%out)\n",
            carrying_loop)
            .empty());
  // a custom call that only orders
  CHECK(lint_entry(start + "  %o = f32[8]{0} custom-call(%s), custom_call_target=\"control_dep\"\n" + done + end)
            .empty());
}
