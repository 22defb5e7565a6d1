#include <hlolint/analysis/values/disjoint_sets.hpp>

#include <doctest/doctest.h>

#include <cstddef>

using namespace hlolint;

TEST_CASE("disjoint_sets: merged sets have one number that stands for them") {
  disjoint_sets sets(6);
  for (std::size_t i = 0; i < 6; ++i) CHECK(sets.find(i) == i);
  sets.merge(0, 1);
  sets.merge(2, 3);
  CHECK(sets.same(0, 1));
  CHECK_FALSE(sets.same(1, 2));
  sets.merge(1, 3);
  sets.merge(3, 1);  // once more changes nothing
  for (std::size_t i = 0; i < 4; ++i) CHECK(sets.find(i) == sets.find(0));
  CHECK_FALSE(sets.same(0, 4));
  CHECK_FALSE(sets.same(4, 5));
}
