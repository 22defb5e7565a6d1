#include <hlolint/grammar/proto/text_proto.hpp>

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

TEST_CASE("a text proto is known by its first three lines") {
  for (const std::string_view text :
       {"a: 1\nb: \"x\"\n", "# comment\n\na {\n  b {\n    c: WORD\n  }\n}\n", "a: 1", "name: \"HloModule m\"",
        "a <\n  b: 1\n>\n", "a { b: 1 }\nc: []\n", "[ext.field]: 1"}) {
    CAPTURE(text);
    CHECK(is_text_proto(text));
  }
  for (const std::string_view text :
       {"", "\n# only a comment\n", "HloModule m\n", "a: 1\nb: 2\nHloModule m\n", "a {\n}\nENTRY e {\n", "body {\n",
        "RESOURCE_EXHAUSTED: Ran out of memory\n", "Error: heap\n", "e {\n  p = f32[] parameter(0)\n}\n",
        "--xla_flag=true\n", "allocation 0: size 4\n", "a: 1 2\n"}) {
    CAPTURE(text);
    CHECK_FALSE(is_text_proto(text));
  }
}
