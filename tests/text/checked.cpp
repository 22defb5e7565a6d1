// Sums, differences and products of numbers from texts never overflow.
#include <hlolint/text/checked.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

using namespace hlolint;

namespace {
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                       least = std::numeric_limits<std::int64_t>::min();
}

TEST_CASE("results on the way that are no int64 are remembered and clamped") {
  const struct {
    checked_int64 result;
    std::optional<std::int64_t> exact;
    std::int64_t clamped;
  } cases[] = {
      {checked_int64(3) + 4, 7, 7},
      {checked_int64(most) + 0, most, most},
      {checked_int64(most) + 1, {}, most},
      {checked_int64(least) - 1, {}, least},
      {checked_int64(least) + least, {}, least},
      {checked_int64(0) - least, {}, most},
      {checked_int64(-1) * least, {}, most},
      {checked_int64(most) * -2, {}, least},
      {checked_int64(least) * 2, {}, least},
      {checked_int64(most) * 0, 0, 0},
      {checked_int64(most) + 1 - most, {}, 0},  // once beyond the range, nothing is exact any more
      {checked_int64(most) - most, 0, 0},
  };
  for (const auto& c : cases) {
    CHECK(c.result.exact() == c.exact);
    CHECK(c.result.is_exact() == c.exact.has_value());
    CHECK(c.result.clamped() == c.clamped);
  }
  static_assert((checked_int64(most) + 1).exact() == std::nullopt);
  static_assert((checked_int64(least) - 1).clamped() == least);
}

TEST_CASE("comparisons are of the clamped numbers") {
  CHECK(checked_int64(most) + 1 > 5);
  CHECK(checked_int64(most) + 1 == checked_int64(most));
  CHECK(checked_int64(least) - 1 < least + 1);
}

TEST_CASE("a double becomes the nearest int64") {
  CHECK(clamp_to_int64(1.9) == 1);
  CHECK(clamp_to_int64(-1.9) == -1);
  CHECK(clamp_to_int64(1e300) == most);
  CHECK(clamp_to_int64(-1e300) == least);
  CHECK(clamp_to_int64(9223372036854775808.0) == most);
  CHECK(clamp_to_int64(-9223372036854775808.0) == least);
  CHECK(clamp_to_int64(std::numeric_limits<double>::infinity()) == most);
  CHECK(clamp_to_int64(std::numeric_limits<double>::quiet_NaN()) == 0);
}

TEST_CASE("shares") {
  CHECK(share_of(0, 0) == 0);
  CHECK(share_of(1, 4) == 0.25);
}

TEST_CASE("a product has no negative factors and is an int64") {
  using numbers = std::vector<std::int64_t>;
  CHECK(checked_product(numbers{}) == 1);
  CHECK(checked_product(numbers{3, 5, 2}) == 30);
  CHECK(checked_product(numbers{3, 0, 2}) == 0);
  CHECK(checked_product(numbers{3, 5}, [](std::int64_t n) { return n + 1; }) == 24);
  CHECK(checked_product(numbers{most, 1}) == most);
  CHECK_FALSE(checked_product(numbers{most, 2}));
  CHECK_FALSE(checked_product(numbers{3, -1}));
  CHECK_FALSE(checked_product(numbers{0, -1}));
}
