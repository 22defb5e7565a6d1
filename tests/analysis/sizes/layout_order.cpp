#include <hlolint/analysis/sizes/layout_order.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("orders in memory") {
  CHECK(differs_in_order(shape_of("f32[8,4]{1,0}"), shape_of("f32[8,4]{0,1}")));
  CHECK(differs_in_order(shape_of("f32[8,1,4]{2,1,0}"), shape_of("f32[8,1,4]{0,1,2}")));
  CHECK_FALSE(differs_in_order(shape_of("f32[8,1,4]{2,1,0}"), shape_of("f32[8,1,4]{2,0,1}")));
  CHECK_FALSE(differs_in_order(shape_of("f32[8,4]{1,0}"), shape_of("f32[8,4]{1,0:S(1)}")));
  CHECK_FALSE(differs_in_order(shape_of("f32[8,4]{1,0}"), shape_of("f32[4,8]{0,1}")));
  CHECK_FALSE(differs_in_order(shape_of("f32[8,4]{1,0}"), shape_of("f32[8,4]")));
}
