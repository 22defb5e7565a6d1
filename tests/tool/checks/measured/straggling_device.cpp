#include <hlolint/tool/checks/measured/straggling_device.hpp>

#include "tool/checks/measured/measured_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;
using namespace hlolint::testing::profiled;

TEST_CASE("TIM004 is silent without a profile, and where nothing is wrong") { check_silent<straggling_device>(); }

TEST_CASE("TIM004: a device that computes longer; waiting in collectives does not count") {
  measured_module m = measured(4);
  for (profile_run& r : m.devices[3].module.runs) r.compute = 990 * us;
  const findings found = lint_measured(straggling_device{}, m);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message.find("/device:TPU:3 computes 990 us in a run, 10 % longer") == 0);
  m = measured(4);
  for (profile_run& r : m.devices[3].module.runs) r.end += 500 * us;
  CHECK(lint_measured(straggling_device{}, m).empty());
}
