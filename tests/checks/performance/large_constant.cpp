#include <hlolint/checks/performance/large_constant.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
findings lint_constant(const std::string& constant, const large_constant& check = {}) {
  return lint(check, module_of("HloModule m\n\nENTRY %main {\n  ROOT %c = " + constant +
                               ", metadata={op_name=\"f/mask\" source_file=\"f.py\" source_line=9}\n}\n"));
}
}  // namespace

TEST_CASE("PRF001 catches") {
  const findings found = lint_constant("f32[512,512]{1,0} constant({...})");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "c");
  CHECK(found[0].bytes == 1_MiB);
  CHECK(found[0].message == "a constant of 1.00MiB is part of the program");
  CHECK(found[0].source_line == 9);
}

TEST_CASE("PRF001 does not catch") {
  CHECK(lint_constant("f32[512,511]{1,0} constant({...})").empty());
  CHECK(lint_constant("f32[512,512]{1,0} constant({...})", large_constant{.min_bytes = 2_MiB}).empty());
  CHECK(lint_constant("f32[512,512]{1,0} iota(), iota_dimension=0").empty());
}
