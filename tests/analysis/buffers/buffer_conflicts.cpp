#include <hlolint/analysis/buffers/buffer_conflicts.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("buffer_conflicts: which values, how many bytes, from when on") {
  const buffer_conflicts found(dump_of(
      {{temp,
        {{"a", 0, 64, 1, 6, {6}}, {"b", 32, 64, 5, 9, {9}}, {"c", 0, 64, 9, 12, {12}}, {"d", 96, 64, 1, 20, {20}}}}}));
  REQUIRE(found.size() == 2);
  const buffer_conflict &clash = *found.begin(), &touch = *(found.begin() + 1);
  CHECK(clash.kind == overlap_class::clash);
  CHECK(clash.first == 0);
  CHECK(clash.second == 1);
  CHECK(clash.bytes == 32);
  CHECK(clash.position == 5);
  CHECK_FALSE(clash.only_renamed);
  CHECK(touch.kind == overlap_class::partial_touch);
  CHECK(touch.first == 1);
  CHECK(touch.second == 2);
  CHECK(touch.bytes == 32);
  CHECK(touch.position == 9);
  CHECK(found.cut_short().empty());
}

TEST_CASE("buffer_conflicts: after the clash a value may only be renamed, in temporary memory") {
  const auto renamed = [](const std::string& flags, const std::string& position) {
    const buffer_conflicts found(
        dump_of({{flags, {{"a", 0, 64, 1, 8, {4}, "", "", {position}}, {"b", 0, 64, 5, 9, {9}}}}}));
    REQUIRE(found.size() == 1);
    return found.begin()->only_renamed;
  };
  CHECK(renamed(temp, "bitcast.1"));
  CHECK(renamed(temp, "get-tuple-element.3"));
  CHECK_FALSE(renamed(temp, "op.8"));
  CHECK_FALSE(renamed(", maybe-live-out", "bitcast.1"));
}

TEST_CASE("buffer_conflicts: an allocation in which everything lies on everything is cut short") {
  std::vector<value_row> values;
  for (int i = 0; i < 200; ++i) values.push_back({"v" + std::to_string(i), 0, 64, 1, 9, {9}});
  const buffer_conflicts found(dump_of({{temp, {{"a", 0, 64, 1, 6, {6}}}}, {temp, values}}));
  CHECK(found.size() == buffer_conflicts::most_per_allocation);
  CHECK(found.cut_short() == record_list<std::size_t>{1});
}
