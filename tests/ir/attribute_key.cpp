#include <hlolint/ir/attribute_key.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("keys of attributes by their names") {
  static_assert(find_attribute_key("control-predecessors") == attribute_key::control_predecessors);
  static_assert(find_attribute_key("frontend_attribute") == attribute_key::unknown);
}
