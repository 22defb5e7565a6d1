#include <hlolint/analysis/buffers/value_table.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("value_table: the live range, the uses and the positions of a value, by name and index") {
  const value_row untimed{"x", 0, 8, 0, 0, {}, {}, {}, {}, false};
  const value_table table(
      dump_of({{temp, {{"a{0}", 0, 64, 1, 5, {5}}, {"a{1}", 64, 64, 1, 9, {9, 3}}, {"b", 128, 64, 5, 9}}},
               {", thread-local", {untimed}}}));
  REQUIRE(table.range(0));
  CHECK(table.range(0)->end == 5);
  REQUIRE(table.range(1));
  CHECK(table.range(1)->end == 9);
  CHECK(table.range(3) == nullptr);
  REQUIRE(table.used(1));
  CHECK(table.dump().uses(*table.used(1)).size() == 2);
  CHECK(table.used(3)->name.instruction == "x");
  CHECK(table.position_of("a") == 1);
  CHECK(table.position_of("b") == 5);
  CHECK(table.position_of("op.9") == 9);
  CHECK_FALSE(table.position_of("nothing"));
  CHECK(table.last_use(0) == 5);
  CHECK(table.last_use(1) == 9);
  CHECK_FALSE(table.last_use(2));
}

TEST_CASE("value_table: a dump without live ranges and uses has none") {
  const value_table table(parse("BufferAssignment:\nallocation 0: size 64, preallocated-temp:\n"
                                " value: <1 a @0> (size=64,offset=0): u8[64]{0}\n")
                              .buffers.value());
  CHECK(table.range(0) == nullptr);
  CHECK(table.used(0) == nullptr);
  CHECK_FALSE(table.position_of("a"));
  CHECK_FALSE(table.last_use(0));
}
