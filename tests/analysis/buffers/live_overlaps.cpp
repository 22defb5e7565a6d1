#include <hlolint/analysis/buffers/live_overlaps.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

using namespace hlolint;

TEST_CASE("for_each_live_overlap: every two that share a byte and a position, as found by looking at all pairs") {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    std::vector<timed_bytes> entries;
    for (std::size_t n = 0; n < 40; ++n) {
      const auto begin = static_cast<byte_count>(random() % 100);
      const auto start = static_cast<std::int64_t>(random() % 50);
      entries.push_back({begin, begin + static_cast<byte_count>(random() % 30), start,
                         start + static_cast<std::int64_t>(random() % 12) - 1, static_cast<std::int64_t>(n), n});
    }
    std::set<std::pair<std::size_t, std::size_t>> expected, found;
    for (const timed_bytes& a : entries)
      for (const timed_bytes& b : entries)
        if (a.value < b.value && a.begin < a.end && b.begin < b.end && a.start <= a.finish && b.start <= b.finish &&
            a.begin < b.end && b.begin < a.end && a.start <= b.finish && b.start <= a.finish)
          expected.emplace(a.value, b.value);
    CHECK(for_each_live_overlap(entries, [&](const timed_bytes& a, const timed_bytes& b) {
      CHECK(a.start <= b.start);
      CHECK(found.emplace(std::min(a.value, b.value), std::max(a.value, b.value)).second);  // each once
      return true;
    }));
    REQUIRE(found == expected);
  }
}

TEST_CASE("for_each_live_overlap: ends when it is asked to") {
  const std::vector<timed_bytes> entries{{0, 8, 0, 9, 0, 0}, {0, 8, 1, 9, 1, 1}, {0, 8, 2, 9, 2, 2}};
  int seen = 0;
  CHECK_FALSE(for_each_live_overlap(entries, [&](const timed_bytes&, const timed_bytes&) { return ++seen < 2; }));
  CHECK(seen == 2);
  CHECK(for_each_live_overlap({}, [](const timed_bytes&, const timed_bytes&) { return false; }));
}
