#include <hlolint/checks/aliasing/alias_read_after_write.hpp>

#include "checks/paired_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const std::string donated = ", input_output_alias={ {0}: (0, {}, may-alias) }";
texts outcome_of(const std::string& module) { return outcome(alias_read_after_write{}, context(module_of(module))); }

}  // namespace

TEST_CASE("ALI004 catches") {
  // n takes the place of p, and m reads p after it.
  CHECK(outcome_of(small_module("%n, %a", donated)) ==
        texts{"warning: m reads p at position 2, but n has overwritten it at position 1"});
  const findings found = lint(alias_read_after_write{}, context(module_of(small_module("%n, %a", donated))));
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "m");
  REQUIRE(found[0].related.size() == 2);
  CHECK(found[0].related[0].instruction == "p");
  CHECK(found[0].related[1].instruction == "n");
}

TEST_CASE("ALI004 does not catch") {
  CHECK(outcome_of(small_module("%a, %n", donated)).empty());  // a is written after the last read
  CHECK(outcome_of(small_module("%n, %a")).empty());
}
