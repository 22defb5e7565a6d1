#include "messages.hpp"

#include <hlolint/tool/protobuf/literals.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;
using namespace messages;

namespace {

std::string constant(const std::string& literal) {
  std::string out;
  protobuf::put_constant(out, literal);
  return out;
}

}  // namespace

TEST_CASE("literals of up to ten elements are printed as XLA prints them") {
  CHECK(constant(sized(1, array(f32)) + floats(8, {0.1f})) == "0.1");
  CHECK(constant(sized(1, array(f32)) + floats(8, {0.707106769f})) == "0.707106769");
  CHECK(constant(sized(1, array(pred)) + packed(2, {1})) == "true");
  CHECK(constant(sized(1, array(pred, {2})) + packed(2, {1, 0})) == "{1, 0}");
  CHECK(constant(sized(1, array(s32, {2, 2})) + packed(4, {1, -2, 3, 4})) == "{ { 1, -2 }, { 3, 4 } }");
  CHECK(constant(sized(1, array(s32, {2, 1})) + packed(4, {1, 2})) == "{ {1}, {2} }");
  CHECK(constant(sized(1, array(s32, {0}))) == "{}");
  CHECK(constant(sized(1, array(s32, {0, 3}))) == "{  }");
  CHECK(constant(sized(1, array(s32, {1, 2, 1, 1})) + packed(4, {5, 6})) ==
        "{ { /*i0=0*/ { /*i1=0*/ {5} }, { /*i1=1*/ {6} } } }");
  CHECK(constant(sized(1, array(15)) + floats(12, {1, -2})) == "(1, -2)");
  CHECK(constant(sized(1, array(16)) + sized(13, "\x80\x3f")) == "1");                          // bf16
  CHECK(constant(sized(1, array(10)) + sized(11, std::string("\x01\xfc", 2))) == "-nan(0x1)");  // f16
  CHECK(constant(sized(1, array(20)) + sized(20, "\x7f")) == "nan");                            // f8e4m3fn
  CHECK(constant(sized(1, array(21, {2})) + sized(21, "\x78")) == "{-8, 7}");                   // s4, packed
  CHECK(constant(sized(1, array(21, {2})) + sized(21, "\x08\x07")) == "{-8, 7}");               // s4, a byte for each
}

TEST_CASE("elements are printed in logical order, whatever the layout") {
  const std::string columns = number(2, s32) + packed(3, {2, 2}) + sized(5, packed(1, {0, 1}));
  CHECK(constant(sized(1, columns) + packed(4, {1, 3, 2, 4})) == "{ { 1, 2 }, { 3, 4 } }");
  const std::string no_layout = number(2, s32) + packed(3, {2}) + sized(5, packed(1, {7}));
  CHECK(constant(sized(1, no_layout) + packed(4, {1, 2})) == "{0, 0}");
}

TEST_CASE("long, missing and unknown literals are elided") {
  CHECK(constant(sized(1, array(s32, {11})) + packed(4, {1})) == "{...}");
  CHECK(constant(sized(1, array(s32, {2})) + packed(4, {1})) == "{...}");
  CHECK(constant(sized(1, array(99, {2}))) == "{...}");
  CHECK(constant("") == "{...}");
  CHECK(constant(sized(1, tuple({array(s32)}))) == "{...}");
}
