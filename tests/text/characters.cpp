#include <hlolint/text/characters.hpp>

#include <doctest/doctest.h>

#include <string_view>

using namespace hlolint;

TEST_CASE("lower case") {
  static_assert(lower('A') == 'a' && lower('Z') == 'z' && lower('z') == 'z' && lower('@') == '@' && lower('[') == '[');
  CHECK(lowered("ONE_Shot[2]") == "one_shot[2]");
}

TEST_CASE("classes of characters") {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", digits = "0123456789";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool digit = digits.find(c) != digits.npos, letter = letters.find(c) != letters.npos;
    CHECK(is_digit(c) == digit);
    CHECK(is_alphanumeric(c) == (digit || letter));
    CHECK(is_name_character(c) == (digit || letter || c == '_' || c == '.' || c == '-'));
  }
}
