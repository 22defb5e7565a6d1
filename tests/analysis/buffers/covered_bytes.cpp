#include <hlolint/analysis/buffers/covered_bytes.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using namespace hlolint;
using detail::covered_bytes;

TEST_CASE("covered_bytes: a byte under several intervals counts once") {
  covered_bytes covered({0, 8, 4, 16, 8});  // 0 4 8 16
  CHECK(covered.slot_of(8) == 2);
  CHECK(covered.bytes() == 0);
  covered.add(0, 2, 1);
  CHECK(covered.bytes() == 8);
  covered.add(1, 3, 1);
  CHECK(covered.bytes() == 16);
  covered.add(0, 2, -1);
  CHECK(covered.bytes() == 12);
  covered.add(1, 1, 1);  // nothing
  CHECK(covered.bytes() == 12);
  covered.add(1, 3, -1);
  CHECK(covered.bytes() == 0);
}

TEST_CASE("covered_bytes: as counted byte by byte, whatever comes and goes") {
  std::mt19937 random(7);
  for (const std::size_t bound_count : {2u, 3u, 4u, 5u, 8u, 9u, 17u, 33u}) {
    std::vector<byte_count> bounds;
    byte_count at = 0;
    for (std::size_t i = 0; i < bound_count; ++i) bounds.push_back(at += 1 + static_cast<byte_count>(random() % 5));
    covered_bytes covered(bounds);
    std::vector<int> under(static_cast<std::size_t>(at));
    std::vector<std::pair<std::size_t, std::size_t>> open;
    for (int step = 0; step < 400; ++step) {
      std::size_t begin = random() % bound_count, end = random() % bound_count;
      if (begin > end) std::swap(begin, end);
      int by = 1;
      if (!open.empty() && random() % 2 == 0) {
        std::swap(open.back(), open[random() % open.size()]);
        std::tie(begin, end) = open.back();
        open.pop_back();
        by = -1;
      } else {
        open.emplace_back(begin, end);
      }
      covered.add(begin, end, by);
      for (byte_count b = bounds[begin]; b < bounds[end]; ++b) under[static_cast<std::size_t>(b)] += by;
      byte_count expected = 0;
      for (const int n : under) expected += n > 0 ? 1 : 0;
      REQUIRE(covered.bytes() == expected);
    }
  }
}
