#include <hlolint/analysis/assignment/bit_row.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

using namespace hlolint;

TEST_CASE("bit_row: bits are set and asked for in stretches, across words") {
  detail::bit_row bits;
  CHECK_FALSE(bits.test(0));
  CHECK_FALSE(bits.any(0, 1000));
  bits.set(60, 130);
  CHECK_FALSE(bits.test(59));
  CHECK(bits.test(60));
  CHECK(bits.test(64));
  CHECK(bits.test(130));
  CHECK_FALSE(bits.test(131));
  CHECK(bits.any(0, 60));
  CHECK_FALSE(bits.any(0, 59));
  CHECK(bits.any(130, 5000));
  CHECK_FALSE(bits.any(131, 5000));
  bits.set(63, 63);
  CHECK(bits.any(63, 63));
}

TEST_CASE("bit_row: as counted bit by bit") {
  std::mt19937 random(5);
  detail::bit_row bits;
  std::vector<bool> plain(400);
  for (int step = 0; step < 300; ++step) {
    std::size_t first = random() % 400, last = random() % 400;
    if (first > last) std::swap(first, last);
    bool any = false;
    for (std::size_t at = first; at <= last; ++at) any = any || plain[at];
    REQUIRE(bits.any(first, last) == any);
    if (step % 5 != 0 || last - first > 20) continue;
    bits.set(first, last);
    for (std::size_t at = first; at <= last; ++at) plain[at] = true;
  }
  for (std::size_t at = 0; at < plain.size(); ++at) CHECK(bits.test(at) == plain[at]);
}

TEST_CASE("sort_numbers: few and many numbers") {
  std::vector<std::uint32_t> few{900, 3, 40}, many;
  detail::sort_numbers(few, 1000);
  CHECK(few == std::vector<std::uint32_t>{3, 40, 900});
  for (std::uint32_t n = 100; n > 0; --n) many.push_back((n - 1) * 2);
  detail::sort_numbers(many, 200);
  REQUIRE(many.size() == 100);
  for (std::uint32_t n = 0; n < 100; ++n) CHECK(many[n] == 2 * n);
}
