#include <hlolint/ir/element_type.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("element types by their names") {
  static_assert(find_element_type("f8e4m3b11fnuz") == element_type::f8e4m3b11fnuz);
  static_assert(find_element_type("tuple") == element_type::unknown);
  static_assert(find_element_type("") == element_type::unknown);
}

TEST_CASE("bytes of one element") {
  static_assert(byte_width(element_type::s4) == 1 && byte_width(element_type::c128) == 16);
}
