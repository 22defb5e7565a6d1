#include <hlolint/grammar/attributes/json_scan.hpp>

#include <doctest/doctest.h>

using namespace hlolint::scan;

TEST_CASE("where the tokens of JSON end") {
  static_assert(taken(json_scalar, "-1.5e3,") == "-1.5e3" && taken(json_scalar, "nullx").empty() &&
                taken(json_scalar, "01") == "0");
  static_assert(taken(json_string, R"("a\"b",)") == R"("a\"b")" && taken(json_string, R"("a\")").empty());
}
