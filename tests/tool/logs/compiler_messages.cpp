#include <hlolint/tool/logs/compiler_messages.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace hlolint::logs;

TEST_CASE("numbered errors of the compiler are no log levels") {
  CHECK(numbered_error_in("x: E1200: CompileTimeHostOffload: a") == 3);
  CHECK(numbered_error_in("E0102 10:00: RuntimeX") == std::string_view::npos);
}
