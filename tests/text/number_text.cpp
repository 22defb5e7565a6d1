#include <hlolint/text/number_text.hpp>

#include <doctest/doctest.h>

#include <limits>

using namespace hlolint;

TEST_CASE("numbers have significant digits and no exponent") {
  CHECK(number_text(0) == "0");
  CHECK(number_text(8.9) == "8.90");
  CHECK(number_text(8.9, 2) == "8.9");
  CHECK(number_text(0.0570, 2) == "0.057");
  CHECK(number_text(6375) == "6380");
  CHECK(number_text(1.5e12, 2) == "1500000000000");
  CHECK(number_text(-12.345) == "-12.3");
  CHECK(number_text(3e-7, 2) == "0.00000030");
  CHECK(number_text(std::numeric_limits<double>::infinity()) == "?");
  CHECK(number_text(std::numeric_limits<double>::quiet_NaN()) == "?");
  CHECK(number_text(std::numeric_limits<double>::max(), 2).size() == 309);
}

TEST_CASE("a number that is rounded up to one more digit has no digit too many") {
  CHECK(number_text(9.996) == "10.0");
  CHECK(number_text(99.96, 3) == "100");
  CHECK(number_text(0.99996, 2) == "1.0");
}

TEST_CASE("durations are in microseconds below a millisecond") {
  CHECK(duration_text(0) == "0 us");
  CHECK(duration_text(12e-6) == "12.0 us");
  CHECK(duration_text(8.9e-3, 2) == "8.9 ms");
  CHECK(duration_text(1.5) == "1500 ms");
  CHECK(signed_duration_text(12e-6) == "+12.0 us");
  CHECK(signed_duration_text(-8.9e-3) == "-8.90 ms");
  CHECK(signed_duration_text(0) == "+0 us");
  CHECK(duration_text(3e-10) == "0 us");  // rounding of sums
  CHECK(signed_duration_text(-3e-10) == "+0 us");
}

TEST_CASE("shares are in percent") {
  CHECK(share_text(1, 8) == "13 %");
  CHECK(share_text(1, 8, 3) == "12.5 %");
  CHECK(share_text(0, 8) == "0 %");
  CHECK(share_text(1, 1e6) == "< 0.01 %");
  CHECK(share_text(1, 0) == "-");
}

TEST_CASE("a list that is cut off says how many are left") {
  CHECK(and_more(5, 3) == " and 2 more");
  CHECK(and_more(3, 3).empty());
  CHECK(and_more(2, 3).empty());
  CHECK(and_more(5, 3, "; ", " functions") == "; and 2 more functions");
}
