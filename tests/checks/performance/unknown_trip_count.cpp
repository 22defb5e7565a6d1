#include <hlolint/checks/performance/unknown_trip_count.hpp>
#include <hlolint/lint/lint.hpp>

#include "all_settings.hpp"
#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {
findings lint_loop(const std::string& operation, const std::string& count = {}) {
  const auto list = as_catalogue(unknown_trip_count{});
  return lint(list,
              context(module_of(
                  "HloModule m, is_scheduled=true\n\n%inner (ip: f32[8]) -> f32[8] {\n  %ip = f32[8]{0} parameter(0)\n"
                  "  ROOT %io = f32[8]{0} " +
                  operation +
                  "\n}\n\n%body (bp: f32[8]) -> f32[8] {\n"
                  "  %bp = f32[8]{0} parameter(0)\n  ROOT %bc = f32[8]{0} call(%bp), to_apply=%inner\n}\n\n"
                  "%condition (cp: f32[8]) -> pred[] {\n  %cp = f32[8]{0} parameter(0)\n"
                  "  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = f32[8]{0} parameter(0)\n"
                  "  ROOT %w = f32[8]{0} while(%p), condition=%condition, body=%body" +
                  count + "\n}\n")),
              all_settings(list));
}
const std::string permute = "collective-permute(%ip), source_target_pairs={{0,1}}";
}  // namespace

TEST_CASE("PRF015 catches") {
  const findings found = lint_loop(permute);
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::note);
  CHECK(found[0].instruction == "w");
  CHECK(found[0].message == "how often this loop runs is not known; it holds 1 collectives and 0 copies");
  CHECK(lint_loop("copy(%ip)").size() == 1);
}

TEST_CASE("PRF015 does not catch") {
  CHECK(lint_loop(permute, ", backend_config={\"known_trip_count\":{\"n\":\"3\"}}").empty());
  CHECK(lint_loop("negate(%ip)").empty());
}
