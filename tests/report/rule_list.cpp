#include "listed_rules.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

TEST_CASE("a list has the rules of a catalogue and those of reading, by id") {
  const auto list = all_rules();
  REQUIRE(list.size() == 1 + reading_rules.size());
  CHECK(list[0].about == big_value::about);
  CHECK(reads_text(list[0]) == "buffers, live-ranges");
  REQUIRE(list[0].options.size() == 1);
  CHECK(list[0].options[0].value == "16MiB");
  CHECK(list[1].about.id == "CFG001");
  CHECK(list.back().about.id == "SYN002");
}

TEST_CASE("only SYN rules report that something was not read") {
  CHECK(is_reading_error("SYN001"));
  CHECK_FALSE(is_reading_error("DMP006"));
  CHECK_FALSE(is_reading_error(""));
}
