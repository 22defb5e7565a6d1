#include <hlolint/tool/report/writing.hpp>

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::report;

namespace {

std::string wrapped(std::string_view text, std::string_view margin, std::size_t width) {
  std::ostringstream out;
  report::detail::write_wrapped(out, text, margin, width);
  return out.str();
}

std::string beside(std::string_view title, std::string_view text, std::size_t column, std::size_t width) {
  std::ostringstream out;
  report::detail::write_beside(out, title, text, column, width);
  return out.str();
}

}  // namespace

TEST_CASE("wrapped_text: lines fit the width with their margin") {
  CHECK(wrapped("one two three", "  ", 9) == "  one two\n  three\n");
  CHECK(wrapped("one two three", "  ", std::string::npos) == "  one two three\n");
  CHECK(wrapped("one\n\ntwo", "  ", 20) == "  one\n\n  two\n");
  CHECK(wrapped("", "  ", 20).empty());
  CHECK(wrapped("a word_that_is_longer b", "  ", 6) == "  a\n  word_that_is_longer\n  b\n");
  CHECK(wrapped("a b", "      ", 4) == "      a\n      b\n");  // a margin that leaves no room
}

TEST_CASE("wrapped_text: columns count, not bytes") {
  CHECK(wrapped("\xC3\xA4\xC3\xB6\xC3\xBC \xC3\xA4\xC3\xB6\xC3\xBC", "", 7).find('\n') == 13);
}

TEST_CASE("paths that no line has room for lose their middle") {
  CHECK(wrapped("at /a/very/long/path/of/an/installed/package/linear.py:271 it waits", "  ", 30) ==
        "  at\n  /a/very/long/...inear.py:271\n  it waits\n");
}

TEST_CASE("write_beside: a title stands beside its text") {
  CHECK(beside("need", "one two three", 8, 15) == "  need  one two\n        three\n");
  CHECK(beside("need", "one", 8, 80) == "  need  one\n");
}

TEST_CASE("module_heading: a path that the line has no room for loses its middle") {
  CHECK(module_heading("/a/very/long/path/of/an/installed/package/m.txt", "jit_f", target::gpu, 60) ==
        "/a/very/long/path/o...lled/package/m.txt: module jit_f (gpu)");
  CHECK(module_heading("m.txt", "jit_f", target::unknown, 60, ": ~2 ms") == "m.txt: module jit_f: ~2 ms");
}
