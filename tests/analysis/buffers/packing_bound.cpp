#include "checks/memory_fixtures.hpp"

#include <hlolint/analysis/buffers/packing_bound.hpp>

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("packing_bound: slack is gaps and packing loss") {
  // Bytes 40 to 64 are never taken; at position 3 the most are in use, b and c.
  const packing_bound bound(
      dump_of({{", preallocated-temp", {{"a", 0, 40, 1, 2}, {"b", 64, 64, 2, 4}, {"c", 128, 16, 3, 3}}}}));
  const packed_allocation* const found = bound.of_allocation(0);
  REQUIRE(found);
  CHECK(found->size == 144);
  CHECK(found->bound == 104);  // a and b at 2, not b and c (80) at 3
  CHECK(found->position == 2);
  CHECK(found->slack() == 40);
  CHECK(found->gaps() == 24);
  CHECK(found->packing_loss() == 16);
}

TEST_CASE("packing_bound: overlapping chunks are covered once") {
  const packing_bound bound(
      dump_of({{", preallocated-temp", {{"a", 0, 100, 1, 2}, {"b", 0, 40, 3, 4}, {"c", 60, 80, 3, 4}}}}));
  const packed_allocation* const found = bound.of_allocation(0);
  REQUIRE(found);
  CHECK(found->covered == 140);
  CHECK(found->gaps() == 0);
  CHECK(found->bound == 120);
  CHECK(found->position == 3);
}

TEST_CASE("packing_bound: an allocation without values, one without times, one that is full") {
  const packing_bound bound(dump_of({{", color 3, preallocated-temp", {}},
                                     {", thread-local", {value_row{"x", 0, 8, 0, 0, {}, {}, {}, {}, false}}},
                                     {", maybe-live-out", {{"a", 0, 8, 1, 2}}},
                                     {", preallocated-temp", {{"empty", 0, 0, 1, 2}}}}));
  REQUIRE(bound.of_allocation(0));
  CHECK(bound.of_allocation(0)->bound == 0);
  CHECK(bound.of_allocation(0)->slack() == 0);
  CHECK_FALSE(bound.of_allocation(1));
  REQUIRE(bound.of_allocation(2));
  CHECK(bound.of_allocation(2)->slack() == 0);
  REQUIRE(bound.of_allocation(3));
  CHECK(bound.of_allocation(3)->bound == 0);
}
