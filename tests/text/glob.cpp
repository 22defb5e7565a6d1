#include <hlolint/text/glob.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("a glob describes the whole text") {
  static_assert(matches_glob("jit_*/add?", "jit_step/add1") && matches_glob("*", "") &&
                matches_glob("a*b*c", "aXbYbZc"));
  static_assert(!matches_glob("a?", "a") && !matches_glob("*b", "abc") && !matches_glob("", "a"));
}
