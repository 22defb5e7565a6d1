#include <hlolint/checks/collectives/collective_in_loop_invariant.hpp>
#include <hlolint/lint/lint.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// A loop that carries `%w` (1 MiB) and gathers `operand`; `next` is what it carries on.
findings lint_loop(const std::string& operand, const std::string& next, const std::string& count = "8",
                   const std::string& groups = "{{0,1}}") {
  const std::string gather = operand.empty() ? std::string{}
                                             : "  %g = f32[524288]{0} all-gather(%" + operand +
                                                   "), replica_groups=" + groups + ", dimensions={0}\n";
  return lint(collective_in_loop_invariant{},
              module_of("HloModule m, is_scheduled=true, replica_count=2\n\n"
                        "%body (bp: (f32[262144])) -> (f32[262144]) {\n"
                        "  %bp = (f32[262144]{0}) parameter(0)\n  %w = f32[262144]{0} get-tuple-element(%bp), index=0\n"
                        "  %n = f32[262144]{0} negate(%w)\n" +
                        gather + "  ROOT %t = (f32[262144]{0}) tuple(%" + next +
                        ")\n}\n\n"
                        "%condition (cp: (f32[262144])) -> pred[] {\n  %cp = (f32[262144]{0}) parameter(0)\n"
                        "  ROOT %go = pred[] constant(true)\n}\n\nENTRY %main {\n  %p = (f32[262144]{0}) parameter(0)\n"
                        "  ROOT %l = (f32[262144]{0}) while(%p), condition=%condition, body=%body, "
                        "backend_config={\"known_trip_count\":{\"n\":\"" +
                        count + "\"}}\n}\n"));
}

}  // namespace

TEST_CASE("COL013 catches") {
  const findings found = lint_loop("n", "w");
  REQUIRE(found.size() == 1);
  CHECK(found[0].level == severity::warning);
  CHECK(found[0].instruction == "g");
  CHECK(found[0].bytes == 16_MiB);
  CHECK(found[0].message ==
        "all-gather of 2.00MiB x 8 iterations brings the same data in every iteration (position 3 of 5 in body)");
  CHECK(found[0].related[0].instruction == "l");
}

TEST_CASE("COL013 catches not") {
  CHECK(lint_loop("w", "n").empty());           // carried on changed
  CHECK(lint_loop("n", "w", "1").empty());      // one iteration
  CHECK(lint_loop("n", "w", "8", "{{0},{1}}").empty());  // transfers nothing
  CHECK(lint_loop("", "w").empty());
}
