#include <hlolint/tool/query/grammar/query_tokens.hpp>

#include <doctest/doctest.h>

using namespace hlolint::scan;

TEST_CASE("tokens of a query end where its grammar goes on") {
  CHECK(taken(glob_word, "all-*(x)") == "all-*");
  CHECK(taken(glob_word, "dimensions={0}") == "");  // an attribute
  CHECK(taken(glob_word, "bytes==1") == "bytes");
  CHECK(taken(glob_word, "1x") == "");
  CHECK(taken(attribute_value, "{{0, 1}} where") == "{{0, 1}}");
  CHECK(taken(attribute_value, "[2,4]<=[8]T(1,0), x") == "[2,4]<=[8]T(1,0)");
  CHECK(taken(attribute_value, "1)") == "1");
  CHECK(taken(attribute_value, "{0") == "");
  CHECK(taken(literal_argument, "{1, 2})") == "{1, 2}");
  CHECK(taken(literal_argument, "true)") == "true");
  CHECK(taken(literal_argument, "add(x)") == "");
  CHECK(taken(literal_argument, "\"a*\")") == "\"a*\"");
}
