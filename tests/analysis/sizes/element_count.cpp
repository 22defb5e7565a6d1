#include <hlolint/analysis/sizes/element_count.hpp>

#include "analysis/module_of.hpp"

#include <doctest/doctest.h>

using namespace hlolint;
using namespace hlolint::testing;

TEST_CASE("element_count: all arrays of a shape, never out of range") {
  const auto count = [](const char* text) {
    const shape s = shape_of(text);
    return detail::element_count(&s);
  };
  CHECK(count("f32[]") == 1);
  CHECK(count("f32[3,5]{1,0}") == 15);
  CHECK(count("f32[3,0]{1,0}") == 0);
  CHECK(count("f32[3,?]{1,0}") == 0);
  CHECK(count("token[]") == 0);
  CHECK(count("(f32[3]{0}, (s8[2,2]{1,0}, token[]), f32[])") == 8);
  CHECK(count("()") == 0);
  CHECK(count("f32[4294967296,4294967296]{1,0}") == 18446744073709551616.0);
  CHECK(detail::element_count(nullptr) == 0);
}
