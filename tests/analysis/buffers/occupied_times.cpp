#include <hlolint/analysis/buffers/occupied_times.hpp>

#include <doctest/doctest.h>

#include <cstdint>

using namespace hlolint;
using hlolint::detail::occupied_times;

TEST_CASE("values that touch do not overlap, all others do") {
  occupied_times times;
  CHECK_FALSE(times.overlaps({0, 9}));
  times.add({2, 5}, 1);
  times.add({9, 9}, 2);
  CHECK_FALSE(times.overlaps({0, 1}));
  CHECK_FALSE(times.overlaps({0, 2}));
  CHECK_FALSE(times.overlaps({5, 8}));
  CHECK_FALSE(times.overlaps({5, 9}));
  CHECK(times.overlaps({0, 3}));
  CHECK(times.overlaps({4, 4}));
  CHECK(times.overlaps({3, 7}));
  CHECK(times.overlaps({8, 10}));  // around the second
  // the whole between them
  times.add({5, 9}, 3);
  CHECK(times.overlaps({5, 9}));
  CHECK_FALSE(times.overlaps({9, 12}));
  CHECK_FALSE(times.all_that_end(9, [](std::uint32_t v) { return v == 3; }));
  CHECK(times.all_that_begin(9, [](std::uint32_t v) { return v == 2; }));
  CHECK(times.all_that_begin(7, [](std::uint32_t) { return false; }));
}
