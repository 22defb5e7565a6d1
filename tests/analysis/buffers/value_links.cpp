#include <hlolint/analysis/buffers/value_links.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
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

TEST_CASE("overlap_class: names differ, and what may be a fault is what no rule of XLA's explains") {
  std::set<std::string_view> names;
  int conflicts = 0;
  for (int c = 0; c < static_cast<int>(overlap_class::count); ++c) {
    const auto one = static_cast<overlap_class>(c);
    CHECK_FALSE(name_of(one).empty());
    CHECK(names.insert(name_of(one)).second);
    conflicts += is_conflict(one);
  }
  CHECK(name_of(overlap_class::hand_off) == "hand-off");
  CHECK(name_of(overlap_class::clash) == "clash");
  CHECK(conflicts == 6);
  for (const overlap_class fine : {overlap_class::no_range, overlap_class::disjoint, overlap_class::one_buffer,
                                   overlap_class::may_share, overlap_class::hand_off, overlap_class::declared_alias})
    CHECK_FALSE(is_conflict(fine));
}

TEST_CASE("declared_aliases: what an instruction's text declares, by operand and by output") {
  const std::string update = "custom-call(%a), custom_call_target=\"u\", output_to_operand_aliasing=";
  const value_table one(dump_of(
      {{temp,
        {{"a", 0, 64, 1, 5, {5}}, {"b", 0, 64, 5, 9, {9}, "", update + "{{}: (0, {})}"}, {"c", 0, 64, 9, 12, {12}}}}}));
  const declared_aliases aliases(one);
  CHECK(aliases.same(0, 1));
  CHECK_FALSE(aliases.same(1, 2));
  const value_table other(dump_of({{temp,
                                    {{"a", 0, 64, 1, 5, {5}},
                                     {"b{0}", 0, 64, 5, 9, {9}, "", update + "{{1}: (0, {})}"},
                                     {"b{1}", 64, 64, 5, 9, {9}, "", update + "{{1}: (0, {})}"}}}}));
  CHECK_FALSE(declared_aliases(other).same(0, 1));
  CHECK(declared_aliases(other).same(0, 2));
  const value_table wrong(
      dump_of({{temp, {{"a", 0, 64, 1, 5, {5}}, {"b", 0, 64, 5, 9, {9}, "", update + "{{}: (7, {})}"}}}}));
  CHECK_FALSE(declared_aliases(wrong).same(0, 1));
}
