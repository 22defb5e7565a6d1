#include <hlolint/grammar/proto/proto_scan.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace hlolint;
using namespace hlolint::scan;

TEST_CASE("lines of a protocol buffer in text form") {
  static_assert(proto_line("  name: \"a\"") && proto_line("a {") && proto_line("a { b: 1 }") && proto_line("}") &&
                !proto_line("RESOURCE_EXHAUSTED: Ran out of memory") && !proto_line("a { b = f(1) }") &&
                !proto_line("a"));
}

TEST_CASE("words of a protocol buffer in text form") {
  static_assert(taken(proto_word, "-2.5e+3 ") == "-2.5e+3" && taken(proto_word, ":").empty());
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
