#include <hlolint/tool/checks/measured/varying_step.hpp>

#include "tool/checks/measured/measured_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::profiled;

TEST_CASE("TIM005 is silent without a profile, and where nothing is wrong") { check_silent<varying_step>(); }

TEST_CASE("TIM005: runs that differ, the first one apart") {
  measured_module m = measured(1, 20);
  m.devices[0].module.runs[0].end += 10'000 * us;
  CHECK(lint_measured(varying_step{}, m).empty());
  for (std::size_t i = 0; i < 20; i += 2) m.devices[0].module.runs[i].end += 400 * us;
  CHECK(lint_measured(varying_step{}, m).size() == 1);
}
