#include <hlolint/tool/checks/measured/host_bound.hpp>

#include "tool/checks/measured/measured_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::profiled;

TEST_CASE("TIM006 is silent without a profile, and where nothing is wrong") { check_silent<host_bound>(); }

TEST_CASE("TIM006: a device that waits for the host") {
  measured_module m = measured(2);
  for (measured_device& d : m.devices)
    for (profile_run& r : d.module.runs) r.outside = 600 * us;
  const findings found = lint_measured(host_bound{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("is idle for 600 us before each run of 1.00 ms") != std::string::npos);
}
