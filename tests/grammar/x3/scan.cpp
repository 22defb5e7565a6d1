#include <hlolint/grammar/x3/scan.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

using namespace hlolint::scan;

namespace {
constexpr bool reads_integer(std::string_view text, std::int64_t expected) {
  std::int64_t value = 0;
  return integer_value(text.data(), text.data() + text.size(), value) && value == expected;
}
}  // namespace

TEST_CASE("blanks, words and lines") {
  static_assert(taken(blanks, "  /*index=5*/\n// x\n %y") == "  /*index=5*/\n// x\n ");
  static_assert(taken(blanks, "/* **/x") == "/* **/" && taken(blanks, "/*") == "/*" && taken(blanks, "/x").empty());
  static_assert(taken(identifier, "add.1 = f32[]") == "add.1" && taken(identifier, "1add").empty());
  static_assert(taken(word, "add(x)") == "add" && taken(word, "add=x").empty());
  static_assert(taken(line, "a\nb") == "a\n" && taken(line, "").empty());
}

TEST_CASE("integers and decimal numbers") {
  static_assert(taken(integer, "-12x") == "-12" && taken(integer, "-").empty());
  static_assert(reads_integer("-12x", -12) && reads_integer("18446744073709551615", -1) &&
                !reads_integer("18446744073709551616", 0));
  static_assert(reads_integer("-9223372036854775808", -9223372036854775807 - 1) &&
                !reads_integer("-9223372036854775809", 9223372036854775807));
  static_assert(taken(decimal, "-1.5e+05,") == "-1.5e+05" && taken(decimal, "1e") == "1" &&
                taken(decimal, "-.5") == "-.5");
  static_assert(taken(decimal, ".5").empty() && taken(decimal, "-.").empty());
}

TEST_CASE("strings with their quotes") {
  static_assert(taken(string, R"("a\"b" rest)") == R"("a\"b")" && taken(string, R"("open)").empty());
  static_assert(taken(string, R"("\377\xff\x000041\ud7ff\U0010ffff")") == R"("\377\xff\x000041\ud7ff\U0010ffff")");
  static_assert(taken(string, R"("\400")").empty() && taken(string, R"("\xfff")").empty() &&
                taken(string, R"("\ud800")").empty() && taken(string, R"("\U00110000")").empty());
  static_assert(taken(string, R"('a"b' rest)") == R"('a"b')" && taken(string, R"("bad \q")").empty());
}
