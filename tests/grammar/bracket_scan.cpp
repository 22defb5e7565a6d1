// The end of a dictionary is the same whether it is looked for byte by byte or 64 bytes at a time.
#include <hlolint/grammar/hlo/bracket_scan.hpp>

#include <doctest/doctest.h>

#include <iterator>
#include <random>
#include <string>
#include <string_view>

using namespace hlolint;

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
