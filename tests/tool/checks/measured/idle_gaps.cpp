#include <hlolint/tool/checks/measured/idle_gaps.hpp>

#include "tool/checks/measured/measured_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::profiled;

TEST_CASE("TIM003 is silent without a profile, and where nothing is wrong") { check_silent<idle_gaps>(); }

TEST_CASE("TIM003: gaps between kernels") {
  measured_module m = measured();
  for (measured_device& d : m.devices)
    for (profile_operation& o : d.module.operations) o.idle_before = 2000 * us, o.gaps = 200;
  const findings found = lint_measured(idle_gaps{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message == "the device is idle for 600 us of a run of 1.00 ms, in 60 gaps of 10.0 us between kernels");
}
