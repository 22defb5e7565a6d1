#include <hlolint/analysis/buffers/value_links.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("value_links: why a value may begin where another of its bytes ends") {
  const auto why = [](const std::vector<value_row>& values, std::size_t first, std::size_t second) {
    const value_table table(dump_of({{temp, values}}));
    return value_links(table).explain_touch(first, second);
  };
  using enum overlap_class;
  CHECK(why({{"a", 0, 64, 1, 5, {5}}, {"b", 0, 64, 5, 9, {9}}}, 0, 1) == hand_off);
  CHECK(why({{"z", 0, 64, 1, 5, {5}}, {"a{0}", 0, 64, 5, 5}, {"a{1}", 0, 64, 5, 9, {9}}}, 1, 2) == siblings);
  CHECK(why({{"a{0}", 0, 64, 5, 5}, {"a{1}", 0, 64, 5, 9, {9}}}, 0, 1) == unexplained);
  CHECK(why({{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}, " (phi)"}}, 0, 1) == merged);
  CHECK(why({{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}, {"c", 0, 64, 12, 15, {15}, "", "", {"op.4", "op.9"}}}, 0,
            1) == chained);
  CHECK(why({{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}, {"c", 64, 64, 12, 15, {15}, "", "", {"op.4", "op.9"}}},
            0, 1) == unexplained);
  CHECK(why({{"a", 0, 64, 1, 5, {4}}, {"b", 0, 64, 5, 9, {9}}}, 0, 1) == unexplained);
}

TEST_CASE("value_links: single questions") {
  const value_table table(
      dump_of({{temp,
                {{"z", 0, 64, 1, 5, {5}},
                 {"a{0}", 0, 64, 5, 5},
                 {"a{1}", 0, 64, 5, 9, {9}},
                 {"b",
                  0,
                  64,
                  9,
                  12,
                  {12},
                  "",
                  "custom-call(%a), custom_call_target=\"u\", output_to_operand_aliasing={{}: (0, {})}"}}}}));
  const value_links links(table);
  CHECK(links.is_user("a", 0));
  CHECK(links.is_user("b", 2));
  CHECK_FALSE(links.is_user("b", 0));
  CHECK(links.are_siblings(1, 2));
  CHECK_FALSE(links.are_siblings(0, 1));
  CHECK(links.are_declared_aliases(2, 3));
  CHECK_FALSE(links.are_declared_aliases(0, 3));
}
