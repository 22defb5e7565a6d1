#include <hlolint/report/source_line.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::report;

namespace {

// The place between the two bars of a text, shown; the bars are taken out first.
source_line shown(std::string text, std::size_t width = 100) {
  const std::size_t begin = text.find('|');
  text.erase(begin, 1);
  const std::size_t end = text.find('|');
  text.erase(end, 1);
  const source whole(std::move(text), "dump.txt");
  return show_line({whole, {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}}, width);
}

}  // namespace

TEST_CASE("show_line marks a place") {
  struct row {
    std::string text;
    std::size_t number;
    std::string line;
    std::string mark;
  };
  const row table[] = {
      {"a = |add|(b)", 1, "a = add(b)", "    ^~~"},
      {"first\nsecond |x| y\nthird", 2, "second x y", "       ^"},
      {"||a", 1, "a", "^"},
      {"a||", 1, "a", " ^"},            // the end of the text
      {"a||\nb", 1, "a", " ^"},         // the end of a line
      {"a\n||", 2, "", "^"},            // the empty line at the end
      {"a |b\nc| d", 1, "a b", "  ^"},  // more lines: to the end of the first
      {"a |b\r\nc|", 1, "a b", "  ^"},  // CRLF
      {"x\r\n|y|\r\n", 2, "y", "^"},
      {"\t|a|\tb", 1, " a b", " ^"},  // a tab is one column
      {"\xC3\xA4\xC3\xA4 |\xC3\xB6\xC3\xB6|", 1, "\xC3\xA4\xC3\xA4 \xC3\xB6\xC3\xB6", "   ^~"},
      {"\xFF\xFE |a|", 1, "\xEF\xBF\xBD\xEF\xBF\xBD a", "   ^"},
      {"\x1b[0m|a|", 1, "\xEF\xBF\xBD[0ma", "    ^"},
  };
  for (const row& r : table) {
    CAPTURE(r.text);
    const source_line got = shown(r.text);
    CHECK(got.number == r.number);
    CHECK(got.text == r.line);
    CHECK(got.mark == r.mark);
  }
}

TEST_CASE("show_line shows a window of a long line") {
  const std::string many(5000, 'm');
  SUBCASE("place at the beginning") {
    const source_line got = shown(std::string("|ab|") + many, 20);
    CHECK(got.text == std::string("ab") + std::string(18, 'm') + "...");
    CHECK(got.mark == "^~");
  }
  SUBCASE("place at the end") {
    const source_line got = shown(many + "|ab|", 20);
    CHECK(got.text == std::string("...") + std::string(18, 'm') + "ab");
    CHECK(got.mark == std::string(21, ' ') + "^~");
  }
  SUBCASE("place in the middle") {
    const source_line got = shown(many + "|ab|" + many, 20);
    CHECK(got.text == std::string("...mmmmmab") + std::string(13, 'm') + "...");
    CHECK(got.mark == std::string(8, ' ') + "^~");
  }
  SUBCASE("a place longer than the window is marked to its end") {
    const source_line got = shown(std::string("|") + many + "|", 20);
    CHECK(got.text == std::string(20, 'm') + "...");
    CHECK(got.mark == std::string("^") + std::string(19, '~'));
  }
  SUBCASE("a line that just fits is whole") {
    const source_line got = shown(std::string(10, 'm') + "|" + std::string(10, 'n') + "|", 20);
    CHECK(got.text == std::string(10, 'm') + std::string(10, 'n'));
    CHECK(got.mark == std::string(10, ' ') + "^" + std::string(9, '~'));
  }
  SUBCASE("no code point is cut in two") {
    std::string umlauts;
    for (int i = 0; i < 1000; ++i) umlauts += "\xC3\xA4";
    const source_line got = shown(umlauts + "|x|" + umlauts, 8);
    CHECK(got.text == "...\xC3\xA4\xC3\xA4x\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4...");
    CHECK(got.mark == "     ^");
  }
  SUBCASE("bytes that are not UTF-8 take one column each") {
    const source_line got = shown(std::string(1000, '\x80') + "|x|", 8);
    CHECK(got.text.size() == 3 + 7 * 3 + 1);
    CHECK(got.mark == std::string(10, ' ') + "^");
  }
}

TEST_CASE("show_line shows nothing where there is no text") {
  CHECK(show_line({source(std::string_view{}, "gone.txt", borrow), {}}).number == 0);
  CHECK(show_line({source(std::string("ab"), "short.txt"), {7, 9}}).number == 0);
}
