#include <hlolint/tool/protobuf/shapes.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("element types by their numbers in xla_data.proto") {
  CHECK(protobuf::element_type_of(11) == element_type::f32);
  CHECK(protobuf::element_type_of(34) == element_type::buffer);
  CHECK(protobuf::element_type_of(36) == element_type::f6e2m3fn);
  CHECK(protobuf::element_type_of(37) == element_type::unknown);
}
