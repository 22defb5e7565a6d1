#include <hlolint/analysis/assignment/sorted_rows.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

using namespace hlolint;

namespace {

struct numbered {
  int key = 0, number = 0;
  friend bool operator<(const numbered& a, const numbered& b) { return a.key < b.key; }
  friend bool operator==(const numbered&, const numbered&) = default;
};

}  // namespace

TEST_CASE("sorted_rows: as one sorted list, equal ones in the order in which they came") {
  std::mt19937 random(3);
  detail::sorted_rows<numbered> rows;
  std::vector<numbered> plain;
  for (int n = 0; n < 1000; ++n) {
    const numbered one{static_cast<int>(random() % 200), n};
    rows.insert(rows.after(one), one);
    plain.insert(std::upper_bound(plain.begin(), plain.end(), one), one);
  }
  std::vector<numbered> all;
  for (const auto& row : rows.rows()) {
    CHECK_FALSE(row.empty());
    all.insert(all.end(), row.begin(), row.end());
  }
  CHECK(all == plain);
  auto place = rows.after({50, 0});
  auto expected = std::upper_bound(plain.begin(), plain.end(), numbered{50, 0});
  while (const numbered* const before = rows.step_back(place)) {
    REQUIRE(expected != plain.begin());
    CHECK(*before == *--expected);
  }
  CHECK(expected == plain.begin());
}

TEST_CASE("sorted_rows: all at once, then one more, and one that is changed where it stands") {
  detail::sorted_rows<numbered> rows;
  CHECK(rows.rows().empty());
  std::vector<numbered> many;
  for (int n = 0; n < 100; ++n) many.push_back({2 * n, 0});
  rows.assign_sorted(many);
  rows.insert(rows.after({-1, 0}), {-1, 0});
  rows.insert(rows.after({51, 0}), {51, 0});
  auto place = rows.after({52, 0});
  CHECK(rows.step_back(place)->key == 52);
  CHECK(rows.step_back(place)->key == 51);
  rows[place].number = 7;
  CHECK(rows[place].number == 7);
  CHECK(rows.rows().front().front().key == -1);
}
