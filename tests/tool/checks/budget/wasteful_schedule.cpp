#include <hlolint/lint/lint.hpp>
#include <hlolint/tool/advise/order_room.hpp>
#include <hlolint/tool/checks/budget/wasteful_schedule.hpp>
#include <hlolint/tool/checks/edited_findings.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// `%big` has `rows` KiB and is made before what takes most; it is read behind it.
std::string text_of(const std::string& rows, const std::string& schedule = "is_scheduled=true") {
  return "HloModule m, " + schedule +
         "\n\nENTRY %main (p: f32[1024]) -> f32[1024] {\n  %p = f32[1024]{0} parameter(0)\n"
         "  %zero = f32[] constant(0)\n  %big = f32[" +
         rows + ",256]{1,0} broadcast(%zero), dimensions={}\n  %wide = f32[" + rows +
         ",1024]{1,0} custom-call(%p), custom_call_target=\"__cublas$gemm\"\n"
         "  %small = f32[1024]{0} custom-call(%wide), custom_call_target=\"__cublas$gemm\"\n"
         "  %part = f32[1024]{0} custom-call(%big), custom_call_target=\"__cublas$gemm\"\n"
         "  ROOT %sum = f32[1024]{0} add(%small, %part)\n}\n";
}
findings lint_for(target on, const std::string& text, const wasteful_schedule& check = {}) {
  context::parts parts;
  parts.hlo = module_of(text), parts.target = on;
  const auto list = as_catalogue(check);
  rule_settings settings = default_settings(listed_checks(list));
  for (rule_setting& s : settings) s.enabled = s.notes = true;  // a note, which is off
  return lint(check, context(std::move(parts)), settings);
}

}  // namespace

TEST_CASE("BUD011 catches") {
  const findings found = lint_for(target::gpu, text_of("524288"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].bytes == 512_MiB);
  CHECK(found[0].instruction == "big");
  CHECK(found[0].message ==
        "the schedule of this module needs 2.50GiB, and 2.00GiB after 1 edit; 512.00MiB can be saved (proven on this "
        "text)");
  CHECK(found[0].promise == promised_bytes{512_MiB, certainty::proven});
  CHECK(found[0].advice.find("big later, before part, to 2.00GiB") == 0);
}

TEST_CASE("BUD011 does not catch") {
  CHECK(lint_for(target::gpu, text_of("65536")).empty());                       // 64 MiB
  CHECK(lint_for(target::gpu, text_of("524288"), {.min_share = 0.3}).empty());  // a fifth
  CHECK(lint_for(target::tpu, text_of("524288")).empty());                      // packed for the order
  CHECK(lint_for(target::gpu, text_of("524288", "num_partitions=1")).empty());  // no schedule
}

TEST_CASE("BUD011 without a search says what no order can save more than") {
  const findings found = lint_for(target::gpu, text_of("524288"), {.max_search = 0});
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "the schedule of this module needs 2.50GiB, and no order less than 2.00GiB; at most 512.00MiB can be saved");
  REQUIRE(found[0].impact);
  CHECK(found[0].promise == promised_bytes{512_MiB, certainty::bound});
  CHECK(found[0].impact->amount == 512.0 * 1024 * 1024);
  CHECK(lint_for(target::gpu, text_of("65536"), {.max_search = 0}).empty());
}

TEST_CASE("what a count of orders takes: nothing if little is made, and too long for many instructions") {
  const auto takes = [](const std::string& text, target on = target::gpu) {
    context::parts parts;
    parts.hlo = module_of(text), parts.target = on;
    return advise::order_count_of(context(std::move(parts)));
  };
  CHECK(takes(text_of("524288")) == advise::order_count::bound);
  CHECK(takes(text_of("16384")) == advise::order_count::none);  // 80 MiB in all
  CHECK(takes(text_of("524288"), target::tpu) == advise::order_count::none);
  std::string many;
  for (int k = 0; k < 5000; ++k) many += "  %n" + std::to_string(k) + " = f32[1024]{0} negate(%p)\n";
  std::string text = text_of("524288");
  CHECK(takes(text.insert(text.find("  ROOT"), many)) == advise::order_count::too_long);
}

TEST_CASE("findings of rules on memory and aliasing that an edit brings") {
  const auto text = [](bool late) {
    const std::string reader = "  %reader = f32[8]{0} negate(%p)\n",
                      writer = "  %dus = f32[8]{0} dynamic-update-slice(%p, %u, %i)\n";
    return "HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, may-alias) }\n\n"
           "ENTRY %main (p: f32[8], u: f32[1], i: s32[]) -> (f32[8], f32[8]) {\n"
           "  %p = f32[8]{0} parameter(0)\n  %u = f32[1]{0} parameter(1)\n  %i = s32[] parameter(2)\n" +
           (late ? writer + reader : reader + writer) + "  ROOT %r = (f32[8]{0}, f32[8]{0}) tuple(%dus, %reader)\n}\n";
  };
  context::parts parts;
  parts.hlo = module_of(text(false)), parts.target = target::gpu;
  const context before(std::move(parts));
  const edited_findings changes(before);
  CHECK(changes.first_new(module_of(text(false))).empty());
  CHECK(changes.first_new(module_of(text(true))).find("ALI004: ") == 0);
}
