#include <hlolint/text/escape.hpp>

#include <doctest/doctest.h>

using namespace hlolint;

TEST_CASE("escapes in quoted texts") {
  CHECK(unescape(R"("plain")") == "plain");
  CHECK(unescape(R"('it is')") == "it is");
  CHECK(unescape(R"({"raw": "\n"})") == R"({"raw": "\n"})");
  CHECK(unescape(R"("a\n\t\"\\\'\?")") == "a\n\t\"\\'?");
  CHECK(unescape(R"("\101\x42\x000043\u00e9\U0001F600")") == "ABC\xC3\xA9\xF0\x9F\x98\x80");
  CHECK(unescape(R"("\0")") == std::string(1, '\0'));
  CHECK(unescape(R"("\q")") == "\\q");
  CHECK(unescape("\"\"").empty());
  CHECK(unescape("").empty());
}

TEST_CASE("escaping is undone by unescaping") {
  CHECK(escape("a\"b\n'\\") == R"(a\"b\n\'\\)");
  CHECK(escape("caf\xC3\xA9\x01") == R"(caf\303\251\001)");
  std::string every;
  for (int c = 0; c < 256; ++c) every += static_cast<char>(c);
  CHECK(unescape('"' + escape(every) + '"') == every);
}
