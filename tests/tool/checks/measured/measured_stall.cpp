#include <hlolint/tool/checks/measured/measured_stall.hpp>

#include "tool/checks/measured/measured_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::profiled;

TEST_CASE("TIM002 is silent without a profile, and where nothing is wrong") { check_silent<measured_stall>(); }

TEST_CASE("TIM002: waiting at a done") {
  measured_module m = measured();
  for (measured_device& d : m.devices) d.module.operations[2] = operation("copy-done.1", 80 * us, 10);
  const findings found = lint_measured(measured_stall{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "copy-done.1");
  CHECK(found[0].message.find("the device waits 80.0 us (8.0 % of the step)") == 0);
  CHECK(found[0].message.find("; measured: 80.0 us in a step") != std::string::npos);
}
