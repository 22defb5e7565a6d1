#include <hlolint/text/sorting.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace hlolint;

TEST_CASE("in_order: by the first two values that differ") {
  CHECK(in_order(1, 2, 5, 4));
  CHECK(in_order(1, 1, std::string("a"), std::string("b")));
  CHECK(!in_order(1, 1, 2, 2));
  CHECK(!in_order(2, 1, 4, 5));
}

TEST_CASE("sort_unique: equal records once") {
  std::vector<std::string> list{"b", "a", "b", "c", "a", "a"};
  sort_unique(list);
  CHECK(list == std::vector<std::string>{"a", "b", "c"});
  std::vector<int> empty;
  sort_unique(empty);
  CHECK(empty.empty());
}

TEST_CASE("is_any_order: every number below the size once") {
  using numbers = std::vector<std::int64_t>;
  CHECK(is_any_order(numbers{}));
  CHECK(is_any_order(numbers{2, 0, 1}));
  CHECK_FALSE(is_any_order(numbers{1, 2}));
  CHECK_FALSE(is_any_order(numbers{0, 0}));
  CHECK_FALSE(is_any_order(numbers{0, -1}));
}

TEST_CASE("for_each_run: neighbors that are the same") {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  const auto add = [&](std::size_t begin, std::size_t end) { runs.emplace_back(begin, end); };
  for_each_run(
      std::vector<int>{4, 4, 1, 4}, [](int a, int b) { return a == b; }, add);
  CHECK(runs == std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}, {2, 3}, {3, 4}});
  for_each_run(
      std::vector<int>{}, [](int, int) { return true; }, add);
  CHECK(runs.size() == 3);
}
