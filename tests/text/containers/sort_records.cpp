#include <hlolint/text/containers/sort_records.hpp>
#include <hlolint/text/record_list.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

TEST_CASE("sort_records: as std::stable_sort, for each number of records") {
  std::mt19937 random(1);
  using record = std::pair<unsigned, std::string>;
  const auto before = [](const record& a, const record& b) { return a.first < b.first; };
  for (std::size_t count = 0; count != 120; ++count) {
    std::vector<record> list;
    for (std::size_t i = 0; i != count; ++i) list.emplace_back(random() % 30, "record number " + std::to_string(i));
    std::vector<record> same = list;
    sort_records(list, before);
    std::stable_sort(same.begin(), same.end(), before);
    CHECK(list == same);
    sort_records(list);
    std::sort(same.begin(), same.end());
    CHECK(list == same);
  }
}

TEST_CASE("in_order: by the first two values that differ") {
  CHECK(in_order(1, 2, 5, 4));
  CHECK(in_order(1, 1, std::string("a"), std::string("b")));
  CHECK(!in_order(1, 1, 2, 2));
  CHECK(!in_order(2, 1, 4, 5));
}

TEST_CASE("sort_unique: equal records once") {
  record_list<std::string> list{"b", "a", "b", "c", "a", "a"};
  sort_unique(list);
  CHECK(list == record_list<std::string>{"a", "b", "c"});
  record_list<int> empty;
  sort_unique(empty);
  CHECK(empty.empty());
}

TEST_CASE("for_each_run: neighbours that are the same") {
  record_list<std::pair<std::size_t, std::size_t>> runs;
  const auto add = [&](std::size_t begin, std::size_t end) { runs.emplace_back(begin, end); };
  for_each_run(record_list<int>{4, 4, 1, 4}, [](int a, int b) { return a == b; }, add);
  CHECK(runs == record_list<std::pair<std::size_t, std::size_t>>{{0, 2}, {2, 3}, {3, 4}});
  for_each_run(record_list<int>{}, [](int, int) { return true; }, add);
  CHECK(runs.size() == 3);
}
