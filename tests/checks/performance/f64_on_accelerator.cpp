#include <hlolint/checks/performance/f64_on_accelerator.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
findings lint_entry(const std::string& body, target backend = target::gpu) {
  const auto list = as_catalogue(f64_on_accelerator{});
  return lint(list, context({.hlo = module_of("HloModule m\n\nENTRY %main {\n" + body + "}\n"), .target = backend}),
              all_settings(list));
}
const std::string doubles =
    "  %p = f64[65536]{0} parameter(0)\n  %q = c128[65536]{0} parameter(1)\n"
    "  ROOT %n = f64[65536]{0} negate(%p)\n";
}  // namespace

TEST_CASE("PRF007 catches") {
  const findings found = lint_entry(doubles);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "q");
  CHECK(found[0].message == "3 instructions have results of double precision, the biggest of 1.00MiB");
  CHECK(found[0].related.size() == 2);
  CHECK(found[0].bytes == 256_KiB);  // half of what is written; parameters are not
}

TEST_CASE("PRF007 warns where no argument has double precision, and names where it begins") {
  const findings found = lint_entry(
      "  %p = f32[65536]{0} parameter(0)\n  %d = f64[65536]{0} convert(%p)\n  %b = f64[131072]{0} concatenate(%d, %d), "
      "dimensions={0}\n  ROOT %n = f64[131072]{0} negate(%b)\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "b");
  REQUIRE_FALSE(found[0].related.empty());
  CHECK(found[0].related[0].instruction == "d");
  CHECK(found[0].related[0].message == "the first of double precision");
}

TEST_CASE("PRF007 does not catch") {
  CHECK(lint_entry(doubles, target::cpu).empty());
  CHECK(lint_entry(doubles, target::unknown).skipped.size() == 1);
  CHECK(lint_entry("  ROOT %p = f64[65535]{0} parameter(0)\n").empty());
  CHECK(lint_entry("  ROOT %p = f32[65536]{0} parameter(0)\n").empty());
}
