#include "listed_rules.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::report;
using namespace hlolint::testing;

TEST_CASE("a list has the rules of a catalogue with what they read and their options") {
  const auto list = listed_rules();
  REQUIRE(list.size() == 1);
  CHECK(list[0].about == big_value::about);
  CHECK(reads_text(list[0]) == "buffers, live-ranges");
  REQUIRE(list[0].options.size() == 1);
  CHECK(list[0].options[0].value == "16MiB");
}
