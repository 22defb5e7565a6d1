#include <hlolint/tool/logs/sentences.hpp>

#include <doctest/doctest.h>

using namespace hlolint::logs;

TEST_CASE("a text mentions memory if a sentence about it may begin there") {
  CHECK(mentions_memory("x: RESOURCE_EXHAUSTED: y"));
  CHECK_FALSE(mentions_memory("memory is allocated"));
}

TEST_CASE("a word that begins with a blank is found after another byte") {
  CHECK(holds("a b", " b"));
  CHECK(holds("ab b", " b"));
  CHECK_FALSE(holds("ab", " b"));
  CHECK_FALSE(holds("b", " b"));
}

TEST_CASE("a message does not begin in a comment or a string of source code") {
  for (const char* before : {"x.XlaRuntimeError: ", "JaxRuntimeError(\"", "I get `", "** (RuntimeError) ", "* ",
                             "\"XlaRuntimeError: ", "don't know: "}) {
    CAPTURE(before);
    CHECK(may_be_stated(before));
  }
  for (const char* before : {"  // see `", "return f(\"", "   * ", "      \"", "  x = \""}) {
    CAPTURE(before);
    CHECK_FALSE(may_be_stated(before));
  }
}
