#include <hlolint/grammar/proto/proto_scan.hpp>

#include <doctest/doctest.h>

using namespace hlolint::scan;

TEST_CASE("lines of a protocol buffer in text form") {
  static_assert(proto_line("  name: \"a\"") && proto_line("a {") && proto_line("a { b: 1 }") && proto_line("}") &&
                !proto_line("RESOURCE_EXHAUSTED: Ran out of memory") && !proto_line("a { b = f(1) }") &&
                !proto_line("a"));
}

TEST_CASE("words of a protocol buffer in text form") {
  static_assert(taken(proto_word, "-2.5e+3 ") == "-2.5e+3" && taken(proto_word, ":").empty());
}
