#include <hlolint/checks/performance/host_compute.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
findings lint_entry(const std::string& body, target backend = target::gpu) {
  return lint(
      host_compute{},
      context({.hlo = module_of("HloModule m\n\n%inner (ip: f32[262144]) -> f32[262144] {\n"
                                "  %ip = f32[262144]{0} parameter(0)\n"
                                "  ROOT %in = f32[262144]{0} negate(%ip)\n}\n\nENTRY %main {\n"
                                "  %h = f32[262144]{0:S(5)} parameter(0)\n  %d = f32[262144]{0} parameter(1)\n" +
                                body + "}\n"),
               .target = backend}));
}
const std::string mark = ", frontend_attributes={_xla_compute_type=\"host\"}";
}  // namespace

TEST_CASE("PRF006 catches") {
  SUBCASE("an operand on the host") {
    const findings found = lint_entry("  ROOT %r = f32[262144]{0} add(%h, %d)\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].level == severity::warning);
    CHECK(found[0].instruction == "r");
    CHECK(found[0].message == "add computes on 1.00MiB in host memory (position 2 of 3 in main)");
    CHECK(lint_entry("  ROOT %r = f32[262144]{0} fusion(%h), kind=kLoop, calls=%inner\n").size() == 1);
  }
  SUBCASE("a call that is marked, once") {
    const findings found = lint_entry("  ROOT %r = f32[262144]{0} call(%d), to_apply=%inner" + mark + "\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].message == "call runs on the host, with 1.00MiB (position 2 of 3 in main)");
  }
}

TEST_CASE("PRF006 does not catch") {
  CHECK(lint_entry("  ROOT %r = f32[262144]{0} add(%h, %d)\n", target::cpu).empty());
  CHECK(lint_entry("  ROOT %r = f32[262144]{0} copy(%h)\n").empty());  // a transfer
  CHECK(lint_entry("  ROOT %r = f32[262144]{0} negate(%d)\n").empty());
  CHECK(lint_entry("  %e = f32[8]{0:S(5)} parameter(2)\n  ROOT %r = f32[8]{0} negate(%e)\n").empty());
  CHECK(lint_entry("  ROOT %r = f32[262144]{0} call(%h), to_apply=%inner\n").empty());
}
