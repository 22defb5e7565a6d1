#include <hlolint/text/integer.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <optional>

using namespace hlolint;

TEST_CASE("a whole text as an integer") {
  CHECK(integer_in("12") == 12);
  CHECK(integer_in("-12") == -12);
  CHECK(integer_in("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  CHECK(integer_in<std::uint64_t>("18446744073709551615") == std::numeric_limits<std::uint64_t>::max());
  CHECK(integer_in<std::uint64_t>("ff", 16) == std::uint64_t{255});
  for (const char* wrong : {"", " 1", "1 ", "+1", "1.0", "x", "-", "9223372036854775808"})
    CHECK_FALSE(integer_in(wrong));
  CHECK_FALSE(integer_in<std::uint64_t>("-1"));
  CHECK_FALSE(integer_in<int>("2147483648"));
}

TEST_CASE("the integer that a text begins with") {
  CHECK(leading_integer("12px") == 12);
  CHECK(leading_integer("7") == 7);
  CHECK_FALSE(leading_integer("px"));
  CHECK_FALSE(leading_integer(""));
  CHECK_FALSE(leading_integer("9223372036854775808 bytes"));
}
