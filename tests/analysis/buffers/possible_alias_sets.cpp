#include <hlolint/analysis/buffers/possible_alias_sets.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("possible_alias_sets: values of the same bytes that one instruction holds or reads, or that a phi joins") {
  std::vector<value_row> looped{
      {"a", 64, 64, 1, 3, {3}}, {"b", 0, 64, 2, 5, {5}}, {"c", 128, 64, 5, 8, {7}}, {"d", 0, 64, 7, 9, {9}}};
  const auto sets = [&] { return possible_alias_sets(value_table(dump_of({{temp, looped}}))); };
  const auto chunks = [&] { return movable_chunks(dump_of({{temp, looped}})).chunks().size(); };
  CHECK(sets()[1] != sets()[3]);
  CHECK(sets()[0] != sets()[1]);
  CHECK(chunks() == 4);
  looped[3].marks = " (phi)";
  CHECK(sets()[1] == sets()[3]);
  CHECK(chunks() == 3);
  looped[3].marks.clear();
  looped[1].uses.push_back(7);  // b is read where d is made: it might be written in place
  CHECK(sets()[1] == sets()[3]);
  CHECK(chunks() == 3);
}

TEST_CASE("possible_alias_sets: what is not temporary may be any set") {
  const std::vector<value_row> apart{{"a", 0, 64, 1, 3, {3}}, {"b", 0, 64, 8, 9, {9}}, {"c", 64, 64, 8, 9, {9}}};
  const auto sets = possible_alias_sets(value_table(dump_of({{", maybe-live-out", apart}})));
  CHECK(sets[0] == sets[1]);
  CHECK(sets[0] != sets[2]);
}
