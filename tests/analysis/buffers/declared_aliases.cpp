#include <hlolint/analysis/buffers/declared_aliases.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace hlolint::testing;

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
