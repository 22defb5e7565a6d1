// When an allocation is taken: the same answers as a look at every value.
#include <hlolint/analysis/assignment/taken_times.hpp>

#include "analysis/random_ranges.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

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
