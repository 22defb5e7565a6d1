#include <hlolint/ir/same_text.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("blanks, comments and percent signs do not count where tokens stay the same") {
  static_assert(same_text("{%a, %b}", "{a, b}"));
  static_assert(same_text("{0, 1}", "{0,/*index=5*/1}") && !same_text("a b", "ab") && !same_text("\"a b\"", "\"ab\""));
  static_assert(same_text("{size=3 pad=1}", "{size=3  pad=1 }") && !same_text("{0,1}", "{0,1"));
}
