#include <hlolint/analysis/time/exposed_transfer.hpp>

#include "nearly.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("exposed_transfer: how well work hides it follows from one run of several") {
  exposed_transfer t;
  t.time.latency = 1, t.runs = 4;
  const auto with = [&](double work) {
    t.work = 4 * work;
    return t.overlap();
  };
  CHECK(with(1.5) == exposure_class::hidden);
  CHECK(with(1.4) == exposure_class::tight);
  CHECK(with(0.67) == exposure_class::tight);
  CHECK(with(0.6) == exposure_class::exposed);
  CHECK(t.work_each() == nearly(0.6));
  t.exposed = 2;
  CHECK(t.exposed_each() == 0.5);
  t.synchronous = true;
  CHECK(with(9) == exposure_class::synchronous);
  t.runs = 0;
  CHECK(t.exposed_each() == 0);
  CHECK(t.work_each() == 0);
  CHECK(name_of(exposure_class::tight) == "tight");
}
