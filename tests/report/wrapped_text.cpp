#include <hlolint/report/wrapped_text.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hlolint::report;

TEST_CASE("wrapped_lines: broken at blanks, the first line of another width") {
  CHECK(wrapped_lines("one two three", 9, 3) == std::vector<std::string>{"one", "two three"});
  CHECK(wrapped_lines("one\n\ntwo", 20, 20) == std::vector<std::string>{"one", "", "two"});
  CHECK(wrapped_lines("", 20, 20).empty());
}

TEST_CASE("shortened: without its middle, and of an installed package without its front") {
  CHECK(shortened("a_very_long_name.fusion.1", 12) == "a_ver...on.1");
  CHECK(shortened("short", 12) == "short");
  CHECK(shortened("/usr/lib/site-packages/flax/linear.py:271", 24) == ".../flax/linear.py:271");
}
