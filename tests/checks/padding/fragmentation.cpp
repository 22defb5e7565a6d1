#include <hlolint/checks/padding/fragmentation.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

namespace {

constexpr byte_count big = 100_MiB;
findings lint_rows(const std::vector<value_row>& values, const std::string& flags = ", preallocated-temp") {
  return lint(fragmentation{}, dump_of({{flags, values}}));
}

}  // namespace

TEST_CASE("PAD005 catches") {
  // Three places for values of which never more than two live.
  const findings found =
      lint_rows({{"a", 0, big, 1, 4, {4}}, {"b", big, big, 3, 7, {7}}, {"c", 2 * big, big, 6, 9, {9}}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "allocation 0 has 300.00MiB, but at most 200.00MiB are in use at one time (position 3), and the same values "
        "in another order need 200.00MiB: 100.00MiB are lost, 0B are never used by any value");
  CHECK(found[0].bytes == big);
}

TEST_CASE("PAD005 does not catch") {
  CHECK(lint_rows({{"a", 0, big, 1, 4, {4}}, {"b", big, big, 3, 7, {7}}, {"c", 0, big, 6, 9, {9}}}).empty());
  // They meet in one position, so each needs its own place.
  CHECK(lint_rows({{"a", 0, big, 1, 6, {4}}, {"b", big, big, 3, 7, {7}}, {"c", 2 * big, big, 6, 9, {9}}}).empty());
  // Below the thresholds: 50 MiB of 150, 100 MiB of 1300.
  CHECK(lint_rows({{"a", 0, big / 2, 1, 4, {4}}, {"b", big / 2, big / 2, 3, 7, {7}}, {"c", big, big / 2, 6, 9, {9}}})
            .empty());
  CHECK(
      lint_rows({{"a", 0, big, 1, 4, {4}}, {"b", big, 11 * big, 3, 7, {7}}, {"c", 12 * big, big, 6, 9, {9}}}).empty());
  CHECK(lint_rows({{"a", 0, big, 1, 4, {4}}, {"b", big, big, 3, 7, {7}}, {"c", 2 * big, big, 6, 9, {9}}},
                  ", maybe-live-out")
            .empty());
}
