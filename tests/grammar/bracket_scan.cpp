// Where tokens in brackets end. The end of a dictionary is the same whether it is looked for byte by byte or 64 bytes
// at a time.
#include <hlolint/grammar/hlo/bracket_scan.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>

using namespace hlolint;

TEST_CASE("a dictionary ends at its brace, unless instructions seem to stand before the brace") {
  using scan::dictionary, scan::taken;
  static_assert(taken(dictionary, R"({"a":{"b":"}"}} x)") == R"({"a":{"b":"}"}})" && taken(dictionary, "{").empty());
  static_assert(taken(dictionary, "{\n\"a\":1}") == "{\n\"a\":1}" &&
                taken(dictionary, "{\"a\":1\n %b = f32[] x({})").empty());
  static_assert(taken(dictionary, "{\"a\n b = \"}\n").empty());
  constexpr std::string_view kernel = "{\n  name = \"k\",\n  x = 1\n}";
  constexpr std::string_view ends[] = {"", ", metadata={}", "\n}", "\n  %b = f32[] copy(%a)",
                                       "  // note\n  b = f32[] c()"};
  constexpr std::string_view braces_of_computations[] = {"\n", "\n\nENTRY %e {", "\n\n%f (x: f32[]) -> f32[] {"};
  for (const std::string_view end : ends) CHECK(taken(dictionary, std::string(kernel).append(end)) == kernel);
  for (const std::string_view end : braces_of_computations)
    CHECK(taken(dictionary, std::string(kernel).append(end)).empty());
  std::string lines = "{";
  for (int n = 0; n < 64; ++n) lines += "\n  x = 1";
  CHECK(taken(dictionary, lines + "},") == lines + "}");
  CHECK(taken(dictionary, lines + "\n  x = 1},").empty());
}

TEST_CASE("a value ends outside of its brackets and strings") {
  using scan::balanced, scan::taken;
  static_assert(taken(balanced, "[8,2]<=[2,8]T(1,0), x") == "[8,2]<=[2,8]T(1,0)");
  static_assert(taken(balanced, R"({op="a,}b" n=1}, next)") == R"({op="a,}b" n=1})");
  static_assert(taken(balanced, "0  // dead\n x") == "0");
  static_assert(taken(balanced, "abc  \n") == "abc" && taken(balanced, "{a").empty());
  static_assert(taken(balanced, "{a\n b=1}") == "{a\n b=1}" && taken(balanced, "{a\n %b = f32[]\n}").empty());
  static_assert(taken(balanced, "{\"a\n b=\"}") == "{\"a\n b=\"}" && taken(balanced, "{\"a\n b = \"}").empty());
}

TEST_CASE("a bracket of a shape ends where it is closed, comments aside") {
  using scan::shape_brackets, scan::taken;
  static_assert(taken(shape_brackets<'('>, "(f32[], /*x)*/(s8[1]{0})) y") == "(f32[], /*x)*/(s8[1]{0}))" &&
                taken(shape_brackets<'['>, "[%").empty());
  static_assert(taken(shape_brackets<'('>, "(f32[],\n  s8[])") == "(f32[],\n  s8[])");
  static_assert(taken(shape_brackets<'('>, "(f32[]\n  b = (s8[]))").empty());
}

TEST_CASE("a token that is not closed runs into an instruction") {
  using scan::runs_into_instruction;
  static_assert(runs_into_instruction("{a\n  %b = f32[]") && !runs_into_instruction("%b = f32[]\n  {1}"));
}

TEST_CASE("the end of a dictionary does not depend on how it is looked for") {
  std::mt19937 random(7);
  std::size_t ended = 0;
  for (int round = 0; round < 20000; ++round) {
    constexpr std::string_view pieces[] = {
        "{",
        "}",
        "{}",
        "\"key\":\"value\",",
        "\"",
        "\\",
        "\\\"",
        "[",
        "]",
        "\n",
        "\n  %a = f32[]",
        " ",
        "\"}\"",
        "a text that is rather long, so that a dictionary is not in one block of bytes"};
    std::string text = "{";
    const bool well_formed = round % 2 == 0;
    for (std::size_t n = random() % 40; n != 0; --n)
      text += well_formed ? pieces[n % 3 == 0 ? 2 : n % 3 == 1 ? 3 : 12] : pieces[random() % std::size(pieces)];
    text += well_formed ? "}" + std::string(random() % 100, 'x') : std::string(random() % 100, 'x');
    const char* const first = text.data();
    const char* const last = first + text.size();
    const char* const end = scan::dictionary(first, last);
    CHECK_MESSAGE(end == scan::dictionary_by_bytes(first, last), text);
    ended += end != nullptr;
  }
  CHECK(ended > 10000);
}
