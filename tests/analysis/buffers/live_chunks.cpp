#include <hlolint/analysis/buffers/live_chunks.hpp>

#include "checks/memory_fixtures.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("live_chunks: alias sets that are known") {
  const buffer_dump dump =
      dump_of({{temp, {{"a", 0, 64, 1, 3}, {"b", 0, 64, 5, 6}, {"c", 0, 64, 6, 8}, {"d", 0, 64, 10, 12}}}});
  const auto parts = [&](std::vector<std::uint32_t> sets) {
    const live_chunks chunks(std::make_shared<const value_table>(dump), sets);
    std::string out;
    for (const live_chunk& c : chunks.chunks()) {
      out += out.empty() ? "" : " ";
      for (const std::uint32_t i : chunks.values(c)) out += dump.values()[i].name.instruction;
    }
    return out;
  };
  CHECK(parts({}) == "abcd");
  CHECK(parts({0, 1, 2, 3}) == "a bc d");  // b hands on to c
  CHECK(parts({0, 1, 2, 0}) == "bc ad");
  CHECK(parts({0, 0, 2, 2}) == "abcd");
}

TEST_CASE("live_chunks: values of the same bytes, and when any of them lives") {
  const value_row untimed{"x", 64, 32, 0, 0, {}, {}, {}, {}, false};
  const live_chunks chunks(
      dump_of({{temp, {{"a", 0, 64, 1, 3}, {"b", 0, 64, 3, 5}, {"c", 0, 64, 8, 9}, {"d", 0, 32, 6, 7}, untimed}},
               {temp, {{"e", 0, 0, 1, 2}, {"f", 0, 8, 4, 4}}}}));
  REQUIRE(chunks.of_allocation(0).size() == 3);
  REQUIRE(chunks.of_allocation(1).size() == 1);  // without bytes there is no chunk
  const live_chunk &small = chunks.of_allocation(0)[0], &big = chunks.of_allocation(0)[1],
                   &last = chunks.of_allocation(0)[2];
  CHECK(small.size == 32);
  CHECK(big.size == 64);
  CHECK(big.end() == 64);
  CHECK(big.value_count == 3);
  REQUIRE(chunks.ranges(big).size() == 2);
  CHECK(chunks.ranges(big)[0] == position_range{1, 5});
  CHECK(chunks.ranges(big)[1] == position_range{8, 9});
  CHECK(chunks.is_timed(big));
  CHECK_FALSE(chunks.is_timed(last));
  CHECK(chunks.ranges(last).empty());
  CHECK(chunks.dump().values()[chunks.values(big)[0]].name.instruction == "a");
}
