#include <hlolint/text/containers/grouped_list.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>
#include <vector>

using namespace hlolint;

TEST_CASE("grouped_list: records by group, in the order in which they came") {
  const std::vector<std::pair<std::size_t, int>> edges{{2, 7}, {0, 1}, {2, 5}, {0, 1}, {2, 9}};
  const auto each = [&](auto&& add) {
    for (const auto& [from, to] : edges) add(from, to);
  };
  const grouped_list<int> list(4, each);
  CHECK(list.size() == 4);
  CHECK(list.count(0) == 2);
  CHECK(list.of(1).empty());
  CHECK(std::vector<int>(list.of(2).begin(), list.of(2).end()) == std::vector<int>{7, 5, 9});
  CHECK(list.count(3) == 0);
  CHECK(list.all() == std::vector<int>{1, 1, 7, 5, 9});
  CHECK(grouped_list<int>(4, each).all() == list.all());
  CHECK(grouped_list<int>(0, [](auto&&) {}).size() == 0);
  CHECK(grouped_list<int>().size() == 0);
}
