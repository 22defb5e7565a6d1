#include <hlolint/lint/related_modules.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint;

TEST_CASE("ranks_text names ranges of ranks") {
  CHECK(ranks_text({"rank0"}) == "rank0");
  CHECK(ranks_text({"rank0", "rank1"}) == "rank0 and rank1");
  CHECK(ranks_text({"rank0", "rank1", "rank10"}) == "rank0, rank1 and rank10");
  std::vector<std::string> every, most;
  for (int i = 0; i < 4096; ++i) {
    every.push_back("rank" + std::to_string(i));
    if (i != 2048) most.push_back(every.back());
  }
  CHECK(ranks_text(every) == "rank0-4095");
  CHECK(ranks_text(most) == "rank0-2047 and rank2049-4095");
  CHECK(ranks_text({"r08", "r09", "r10", "r11"}) == "r08-11");
  CHECK(ranks_text({"r9", "r10", "r11"}) == "r9-11");
  CHECK(ranks_text({"r09", "r10", "r011"}) == "r09, r10 and r011");
  CHECK(ranks_text({"a", "b", "c", "d"}) == "a, b and 2 others");
  CHECK(ranks_text({"a", "r1", "r2", "r3", "b", "c"}) == "a, r1-3 and 2 others");
  CHECK(ranks_text({"1", "2", "3"}) == "1-3");
  CHECK(ranks_text({"x99999999999999999999", "x100000000000000000000", "x100000000000000000001"}).size() > 0);
}
