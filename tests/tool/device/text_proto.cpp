#include <hlolint/tool/device/text_proto.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace hlolint;

TEST_CASE("fields of a protocol buffer in text form") {
  const auto fields = read_text_proto("# a comment\na: 1\nb { c: -2.5e3 d: \"x } \\\" y\" }\nb: { e: KIND }, f: 'z';");
  REQUIRE(fields);
  const std::vector<text_proto_field> expected{{"a", "1", 0},          {"b", "", 0}, {"c", "-2.5e3", 1},
                                               {"d", "x } \\\" y", 1}, {"b", "", 0}, {"e", "KIND", 1},
                                               {"f", "z", 0}};
  CHECK(*fields == expected);
  CHECK(read_text_proto("")->empty());
}

TEST_CASE("what is no message") {
  for (const std::string text :
       {"a", "a:", "a: {", "a { b: 1", "}", "a 1", "a: \"open", "a: \"open\\", ": 1", "a: ]"}) {
    CAPTURE(text);
    CHECK(!read_text_proto(text));
  }
  CHECK(!read_text_proto(std::string(100, '{')));
  std::string deep;
  for (int i = 0; i < 1000; ++i) deep += "a{";
  CHECK(!read_text_proto(deep + std::string(1000, '}')));
}
