#include <hlolint/grammar/attributes/number_tokens.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

using namespace hlolint;

namespace {
using kind = grammar::number_text::kind;
constexpr bool reads_number(std::string_view text, kind written, std::uint64_t payload = 0) {
  grammar::number_text value;
  const char* const end = scan::number(text.data(), text.data() + text.size(), value);
  return end == text.data() + text.size() && value.text == text && value.written == written && value.payload == payload;
}
}  // namespace

TEST_CASE("the kinds of numbers") {
  static_assert(reads_number("-1.5e3", kind::decimal) && reads_number("-12", kind::integer));
  static_assert(reads_number("nan(0xff)", kind::not_a_number, 255) && reads_number("-inf", kind::infinity));
  static_assert(!reads_number("nan(0x0)", kind::not_a_number) &&
                !reads_number("nan(0x10000000000000)", kind::not_a_number, 1ull << 52));
}

TEST_CASE("the magnitude of a number") {
  using scan::magnitude;
  static_assert(magnitude("0.001e4") == 2 && magnitude("12.5") == 2 && magnitude("1e-400") < 0 &&
                magnitude("1e400") > 0);
}
