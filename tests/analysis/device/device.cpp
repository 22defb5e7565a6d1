#include <hlolint/analysis/device/device.hpp>

#include <doctest/doctest.h>

#include <utility>

using namespace hlolint;

TEST_CASE("device: without a name only ratios mean something, on a torus it is a TPU, and a changed copy is another") {
  device own;
  CHECK(own.is_relative());
  CHECK_FALSE(own.is_tpu());
  device copy = own;
  CHECK(copy == own);
  copy.name = "my own", copy.fabric = fabric::torus;
  CHECK_FALSE(copy.is_relative());
  CHECK(copy.is_tpu());
  CHECK(copy != own);
  own = std::move(copy);
  CHECK(own.is_tpu());
  device faster = own;
  faster.memory_rate = 1e12;
  CHECK(faster != own);
}
