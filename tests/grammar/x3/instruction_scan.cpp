// Where an instruction in a buffer dump ends, the same whether it is looked for byte by byte or 64 bytes at a time.
#include <hlolint/grammar/buffers/instruction_scan.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>

using namespace hlolint::scan::lines;

TEST_CASE("an instruction ends where its line does, or the line that closes its brackets") {
  using hlolint::scan::taken;
  static_assert(taken(instruction_text, "%a = f32[] add(%b), c={\n  \"x\": 1}\n<3 b>") ==
                "%a = f32[] add(%b), c={\n  \"x\": 1}");
  static_assert(taken(instruction_text, "%a = f32[] add(%b\n<3 b>") == "%a = f32[] add(%b");
  static_assert(taken(instruction_text, "%a = f32[] add(%b), replica_groups=[2]<=[2]<3 b>\n") ==
                "%a = f32[] add(%b), replica_groups=[2]<=[2]");
#if defined(__SSE2__)
  static_assert(bit_count(0) == 0 && bit_count(~std::uint64_t{0}) == 64 && bit_count(0x8000'0100'0000'0003u) == 4);
#endif
}

TEST_CASE("the end of an instruction does not depend on how it is looked for") {
  std::mt19937 random(7);
  std::size_t ended = 0, one_line = 0;
  for (int round = 0; round < 20000; ++round) {
    constexpr std::string_view pieces[] = {"f32[2,3]{1,0}",
                                           "(",
                                           ")",
                                           "{",
                                           "}",
                                           "[",
                                           "]",
                                           "\"",
                                           "\\",
                                           "\\\"",
                                           " ",
                                           "add(%a, %b)",
                                           "\n",
                                           "\r\n",
                                           "c={\"n\":\"1\"}",
                                           "\n<3 b>",
                                           ")(",
                                           "a name that is rather long, so that a line is not in one block of bytes"};
    std::string text;
    const bool well_formed = round % 2 == 0;
    for (std::size_t n = random() % 40; n != 0; --n)
      text += well_formed ? pieces[n % 3 == 0 ? 0 : n % 3 == 1 ? 11 : 17] : pieces[random() % std::size(pieces)];
    text += well_formed ? "\n" + std::string(80, 'x') : std::string(random() % 100, 'x');
    const char* const first = text.data();
    const char* const last = first + text.size();
    const char* const end = instruction_text(first, last);
    CHECK_MESSAGE(end == instruction_text_by_bytes(first, last), text);
    ended += end != nullptr;
    one_line += end != nullptr &&
                std::string_view(first, static_cast<std::size_t>(end - first)).find('\n') == std::string_view::npos;
  }
  CHECK(ended > 10000);
  CHECK(one_line > 10000);
}
