#include <hlolint/ir/elementwise.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("operations that only move elements") {
  using enum hlo_opcode;
  for (const hlo_opcode moves : {bitcast, copy, reshape, transpose}) CHECK(keeps_elements(moves));
  for (const hlo_opcode changes : {negate, convert, broadcast, slice, reverse}) CHECK_FALSE(keeps_elements(changes));
}

TEST_CASE("elementwise by opcode, and whether the element type stays") {
  using enum hlo_opcode;
  for (const hlo_opcode both : {add, negate, select, clamp, copy, exponential, popcnt}) {
    CHECK(is_elementwise(both));
    CHECK(keeps_element_type(both));
  }
  for (const hlo_opcode changed : {convert, compare, bitcast_convert, is_finite, real, complex, rng, map}) {
    CHECK(is_elementwise(changed));
    CHECK_FALSE(keeps_element_type(changed));
  }
  for (const hlo_opcode neither : {broadcast, reduce, reshape, transpose, dot, tuple, parameter, bitcast, fusion}) {
    CHECK_FALSE(is_elementwise(neither));
    CHECK_FALSE(keeps_element_type(neither));
  }
}
