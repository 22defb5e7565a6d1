// Which of several allocations are not taken: the same answers as a look at every value.
#include <hlolint/analysis/assignment/existing_places.hpp>

#include "analysis/random_ranges.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("the last place that is free, of many") {
  for (const std::int64_t length : {1, 63, 64, 1000}) {
    random_ranges random(static_cast<std::uint64_t>(length));
    detail::existing_places places(length);
    std::vector<std::vector<time_span>> taken;
    for (std::uint32_t n = 0; n < 2000; ++n) {
      const time_span range = random.next(length);
      const auto fits = [&](std::size_t p) {
        return places.times(p).all_that_meet(range, [&](std::uint32_t, time_span t) { return may_follow(range, t); });
      };
      std::size_t expected = taken.size();
      while (expected > 0 && !all_may_follow(taken[expected - 1], range)) --expected;
      std::size_t place = places.last_free(range, fits);
      REQUIRE(place == (expected == 0 ? detail::existing_places::nothing : expected - 1));
      if (place == detail::existing_places::nothing) place = places.add(n), taken.push_back({});
      places.take(place, range, n), taken[place].push_back(range);
    }
    CHECK(taken.size() > 1);
  }
}

TEST_CASE("taken times agree with a look at every value") {
  for (const std::int64_t length : {30, 700, 100'000}) {
    random_ranges random(static_cast<std::uint64_t>(length));
    detail::taken_times times;
    std::vector<time_span> taken;
    for (std::uint32_t n = 0; n < 3000; ++n) {
      const time_span range = random.next(length);
      const bool fits = times.all_that_meet(range, [&](std::uint32_t, time_span t) { return may_follow(range, t); });
      REQUIRE(fits == all_may_follow(taken, range));
      if (fits) times.add(range, n), taken.push_back(range);
    }
    CHECK(taken.size() > 10);
  }
}
