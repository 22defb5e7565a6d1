#include <hlolint/checks/performance/materialised_broadcast.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

findings lint_entry(const std::string& body, const materialised_broadcast& check = {}) {
  return lint(check, module_of("HloModule m, is_scheduled=true\n\n%wrapped (wp: f32[2048]) -> f32[2048,2048] {\n"
                               "  %wp = f32[2048]{0} parameter(0)\n"
                               "  ROOT %wb = f32[2048,2048]{1,0} broadcast(%wp), dimensions={1}\n}\n\n"
                               "%adds (ap: f32[2048,2048], aq: f32[2048,2048]) -> f32[2048,2048] {\n"
                               "  %ap = f32[2048,2048]{1,0} parameter(0)\n"
                               "  %aq = f32[2048,2048]{1,0} parameter(1)\n"
                               "  ROOT %as = f32[2048,2048]{1,0} add(%ap, %aq)\n}\n\n"
                               "%writes (up: f32[2048,2048], uq: f32[1,2048]) -> f32[2048,2048] {\n"
                               "  %up = f32[2048,2048]{1,0} parameter(0)\n"
                               "  %uq = f32[1,2048]{1,0} parameter(1)\n  %uz = s32[] constant(0)\n"
                               "  ROOT %us = f32[2048,2048]{1,0} dynamic-update-slice(%up, %uq, %uz, %uz)\n}\n\n"
                               "ENTRY %main {\n  %p = f32[2048]{0} parameter(0)\n"
                               "  %x = f32[2048,2048]{1,0} parameter(1)\n"
                               "  %row = f32[1,2048]{1,0} bitcast(%p)\n" +
                               body + "}\n"));
}
const std::string broadcast = "  %b = f32[2048,2048]{1,0} broadcast(%p), dimensions={1}\n";

}  // namespace

TEST_CASE("PRF013 catches") {
  const findings found = lint_entry(broadcast + "  ROOT %r = f32[2048,2048]{1,0} multiply(%x, %b)\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "b");
  CHECK(found[0].bytes == 16_MiB);
  CHECK(found[0].message == "broadcast writes 16.00MiB to memory (position 3 of 5 in main)");
  CHECK(found[0].related[0].instruction == "r");
  CHECK(lint_entry("  %b = f32[2048,2048]{1,0} fusion(%p), kind=kLoop, calls=%wrapped\n"
                   "  ROOT %r = f32[2048,2048]{1,0} fusion(%x, %b), kind=kLoop, calls=%adds\n")
            .size() == 1);
  CHECK(lint_entry("  %b = s32[2048,2048]{1,0} iota(), iota_dimension=0\n  %c = s32[2048,2048]{1,0} bitcast(%b)\n"
                   "  ROOT %r = s32[2048,2048]{1,0} negate(%c)\n")
            .size() == 1);
}

TEST_CASE("PRF013 does not catch") {
  CHECK(lint_entry(broadcast + "  ROOT %r = f32[2048,2048]{1,0} multiply(%x, %b)\n",
                   materialised_broadcast{.min_bytes = 17_MiB})
            .empty());
  // a buffer to be written into, in a fusion too
  CHECK(lint_entry(broadcast + "  %z = s32[] constant(0)\n"
                               "  ROOT %r = f32[2048,2048]{1,0} dynamic-update-slice(%b, %row, %z, %z)\n")
            .empty());
  CHECK(
      lint_entry(broadcast + "  ROOT %r = f32[2048,2048]{1,0} fusion(%b, %row), kind=kLoop, calls=%writes\n").empty());
  // returned, carried, or read by one who needs memory
  CHECK(lint_entry("  ROOT %b = f32[2048,2048]{1,0} broadcast(%p), dimensions={1}\n").empty());
  CHECK(lint_entry(broadcast + "  ROOT %r = (f32[2048,2048]{1,0}) tuple(%b)\n").empty());
  CHECK(
      lint_entry(broadcast + "  ROOT %r = f32[2048,2048]{1,0} custom-call(%b), custom_call_target=\"gemm\"\n").empty());
}
