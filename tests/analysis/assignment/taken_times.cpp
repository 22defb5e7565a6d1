// When an allocation is taken, and which of several are not: the same answers as a look at every value.
#include <hlolint/analysis/assignment/existing_places.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

using namespace hlolint;

namespace {

// As values are let in: apart, or one ends where the other begins.
bool may_follow(time_span a, time_span b) {
  return a.start > b.end || b.start > a.end || a.end == b.start || b.end == a.start;
}
bool all_may_follow(const std::vector<time_span>& taken, time_span range) {
  for (const time_span& t : taken)
    if (!may_follow(range, t)) return false;
  return true;
}

class random_ranges {
 public:
  explicit random_ranges(std::uint64_t seed) : random_(seed) {}
  time_span next(std::int64_t length) {
    const std::int64_t start = below(length + 1);
    const std::int64_t most = below(8) == 0 ? length - start : 12;
    return {start, std::min(length, start + below(most + 1))};
  }
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }

 private:
  std::mt19937_64 random_;
};

}  // namespace

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
