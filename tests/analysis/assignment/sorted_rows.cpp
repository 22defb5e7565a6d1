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
  record_list<numbered> many;
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
  record_list<std::uint32_t> few{900, 3, 40}, many;
  detail::sort_numbers(few, 1000);
  CHECK(few == record_list<std::uint32_t>{3, 40, 900});
  for (std::uint32_t n = 100; n > 0; --n) many.push_back((n - 1) * 2);
  detail::sort_numbers(many, 200);
  REQUIRE(many.size() == 100);
  for (std::uint32_t n = 0; n < 100; ++n) CHECK(many[n] == 2 * n);
}
