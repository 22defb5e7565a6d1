#include <hlolint/report/utf8.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace hlolint;
using namespace hlolint::report;

TEST_CASE("utf8_at reads code points and divides what is not UTF-8") {
  struct row {
    std::string_view text;
    char32_t code_point;
    std::size_t size;
    bool valid;
  };
  using namespace std::string_view_literals;
  const row table[] = {
      {"a", 'a', 1, true},
      {"\0"sv, 0, 1, true},
      {"\xC3\xA4", 0xE4, 2, true},
      {"\xE2\x82\xAC", 0x20AC, 3, true},
      {"\xF0\x9F\x98\x80", 0x1F600, 4, true},
      {"\xF4\x8F\xBF\xBF", 0x10FFFF, 4, true},
      {"\x80", 0xFFFD, 1, false},              // continuation without a beginning
      {"\xC0\x80", 0xFFFD, 1, false},          // overlong
      {"\xE0\x80\x80", 0xFFFD, 1, false},      // overlong
      {"\xED\xA0\x80", 0xFFFD, 1, false},      // surrogate
      {"\xF4\x90\x80\x80", 0xFFFD, 1, false},  // above U+10FFFF
      {"\xF5", 0xFFFD, 1, false},
      {"\xC3", 0xFFFD, 1, false},  // cut off
      {"\xE2\x82", 0xFFFD, 2, false},
      {"\xE2\x82(", 0xFFFD, 2, false},
      {"\xF0\x9F\x98", 0xFFFD, 3, false},
  };
  for (const row& r : table) {
    CAPTURE(r.text);
    const utf8_unit unit = utf8_at(r.text, 0);
    CHECK(unit.code_point == r.code_point);
    CHECK(unit.size == r.size);
    CHECK(unit.valid == r.valid);
  }
  static_assert(utf8_at("\xC3\xA4", 0).code_point == 0xE4 && utf8_at("\xED\xA0\x80", 0).size == 1);
  static_assert(utf8_at("\xF0\x9F\x98", 0).size == 3 && !utf8_at("\xF0\x9F\x98", 0).valid);
}

TEST_CASE("printable keeps what can be shown and nothing that a terminal executes") {
  CHECK(printable("plain") == "plain");
  CHECK(printable("a\tb\nc\r") == "a b c ");
  CHECK(printable("\x1b[31mred") == "\xEF\xBF\xBD[31mred");
  CHECK(printable("\xC2\x9B"
                  "31m") ==
        "\xEF\xBF\xBD"
        "31m");  // CSI in one code point
  CHECK(printable("a\xE2\x80\xAE"
                  "b") ==
        "a\xEF\xBF\xBD"
        "b");  // right-to-left override
  CHECK(printable("\xFF\xC3\xA4\xC3") == "\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD");
}
