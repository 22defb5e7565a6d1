#include <hlolint/checks/collectives/send_recv_order.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_schedule(const std::string& body, target backend = target::gpu,
                       const std::string& header = ", is_scheduled=true", const std::string& computations = {}) {
  return lint(send_recv_order{},
              context({.hlo = module_of("HloModule m" + header +
                                        "\n\n%sum (a: f32[], b: f32[]) -> f32[] {\n  %a = f32[] parameter(0)\n"
                                        "  %b = f32[] parameter(1)\n  ROOT %ab = f32[] add(%a, %b)\n}\n\n" +
                                        computations +
                                        "ENTRY %main {\n  %x = f32[4]{0} parameter(0)\n  %t = token[] after-all()\n" +
                                        body + "  ROOT %end = f32[4]{0} negate(%x)\n}\n"),
                       .target = backend}));
}
std::string send(const std::string& number, const std::string& pairs, const std::string& more = {}) {
  return "  %send" + number + " = (f32[4]{0}, u32[], token[]) send(%x, %t), channel_id=1, frontend_attributes={" +
         more + "_xla_send_recv_source_target_pairs=" + pairs + "}\n  %send-done" + number +
         " = token[] send-done(%send" + number + "), channel_id=1\n";
}
std::string recv(const std::string& number, const std::string& pairs, const std::string& more = {}) {
  return "  %recv" + number + " = (f32[4]{0}, u32[], token[]) recv(%t), channel_id=1, frontend_attributes={" + more +
         "_xla_send_recv_source_target_pairs=" + pairs + "}\n  %recv-done" + number +
         " = (f32[4]{0}, token[]) recv-done(%recv" + number + "), channel_id=1\n";
}
const std::string gather = "  %g = f32[8]{0} all-gather(%x), dimensions={0}\n";
const std::string started =
    "  %g = f32[4]{0} all-reduce-start(%x), to_apply=%sum\n"
    "  %gd = f32[4]{0} all-reduce-done(%g)\n";

}  // namespace

TEST_CASE("COL007 catches") {
  SUBCASE("a collective between send and recv") {
    const findings found = lint_schedule(send("1", "{{0,1}}") + gather + recv("1", "{{0,1}}"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::error);
    CHECK(found[0].instruction == "g");
    CHECK(
        found[0].message ==
        "all-gather stands where recv over {{0,1}} is expected: devices wait for each other (position 4 of 8 in main)");
    REQUIRE(found[0].related.size() == 1);
    CHECK(found[0].related[0].instruction == "send1");
  }
  SUBCASE("one that only starts is a warning") {
    const findings found = lint_schedule(recv("1", "{{0,1}}") + started + send("1", "{{0,1}}"));
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].message.find("all-reduce-start starts where send over {{0,1}} is expected") == 0);
  }
  SUBCASE("so is one that is wrapped") {
    const std::string wrapped =
        "%exchange (ep: f32[4]) -> f32[4] {\n  %ep = f32[4]{0} parameter(0)\n"
        "  ROOT %ex = f32[4]{0} all-to-all(%ep), dimensions={0}\n}\n\n";
    const findings found = lint_schedule(send("1", "{{0,1}}") +
                                             "  %g = ((f32[4]{0}), f32[4]{0}) async-start(%x), calls=%exchange\n"
                                             "  %gd = f32[4]{0} async-done(%g)\n" +
                                             recv("1", "{{0,1}}"),
                                         target::gpu, ", is_scheduled=true", wrapped);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "ex");
  }
  SUBCASE("two of a kind that form a ring") {
    CHECK(lint_schedule(send("1", "{{0,1}}") + send("2", "{{1,0}}") + recv("1", "{{0,1}}") + recv("2", "{{1,0}}"))
              .size() == 1);
  }
  SUBCASE("a ring in one, a device twice, other pairs, no partner") {
    CHECK(lint_schedule(send("1", "{{0,1},{1,0}}") + recv("1", "{{0,1},{1,0}}")).size() == 1);
    CHECK(lint_schedule(send("1", "{{0,1},{0,2}}") + recv("1", "{{0,1},{0,2}}")).size() == 1);
    CHECK(lint_schedule(send("1", "{{0,1}}") + recv("1", "{{1,2}}")).size() == 1);
    const findings lone = lint_schedule(recv("1", "{{0,1}}"));
    REQUIRE(lone.size() == 1);
    CHECK(lone[0].instruction == "recv1");
    CHECK(lone[0].message.find("the schedule ends without the send over {{0,1}} for this recv") == 0);
  }
  SUBCASE("inside what is called") {
    const std::string called =
        "%inner (ix: f32[4]) -> f32[8] {\n  %ix = f32[4]{0} parameter(0)\n"
        "  ROOT %ig = f32[8]{0} all-gather(%ix), dimensions={0}\n}\n\n";
    const findings found =
        lint_schedule(send("1", "{{0,1}}") + "  %c = f32[8]{0} call(%x), to_apply=%inner\n" + recv("1", "{{0,1}}"),
                      target::gpu, ", is_scheduled=true", called);
    REQUIRE(found.size() == 1);
    CHECK(found[0].instruction == "ig");
  }
  SUBCASE("only likely where the target is not known") {
    const findings found = lint_schedule(send("1", "{{0,1}}") + gather + recv("1", "{{0,1}}"), target::unknown);
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
  }
}

TEST_CASE("COL007 does not catch") {
  CHECK(lint_schedule(send("1", "{{0,1},{1,2}}") + recv("1", "{{0,1},{1,2}}") + gather).empty());
  CHECK(
      lint_schedule(send("1", "{{0,1}}") + send("2", "{{2,3}}") + recv("2", "{{2,3}}") + recv("1", "{{0,1}}") + started)
          .empty());
  // half of a pipeline, a transfer to the host, pairs no one wrote
  CHECK(lint_schedule(send("1", "{{0,1}}", "_xla_send_recv_pipeline=\"0\",") + gather).empty());
  CHECK(lint_schedule("  %s = (f32[4]{0}, u32[], token[]) send(%x, %t), channel_id=1, is_host_transfer=true\n"
                      "  %sd = token[] send-done(%s), channel_id=1, is_host_transfer=true\n" +
                      gather)
            .empty());
  const std::string wrong = send("1", "{{0,1}}") + gather + recv("1", "{{0,1}}");
  CHECK(lint_schedule(wrong, target::tpu).empty());
  CHECK(lint_schedule(wrong, target::gpu, "").skipped.size() == 1);
}
