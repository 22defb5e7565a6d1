#include <hlolint/text/encoding.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("the size of a byte order mark") {
  static_assert(byte_order_mark("\xEF\xBB\xBFx") == 3 && byte_order_mark("x") == 0);
}
