#include <hlolint/text/double_chars.hpp>

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

namespace detail = hlolint::detail;

#if defined(__cpp_lib_to_chars)

TEST_CASE("what stands in for std::from_chars reads what it reads") {
  for (const std::string_view text : {"1e-400",     "1e400",    "-1e400",
                                      "0e500",      "4e-324",   "2e-324",
                                      "1e-310",     "inf",      "-Infinity",
                                      "nan",        "nan(abc)", "NaN(",
                                      "+1",         "-",        "",
                                      "1.",         "  1",      ".5",
                                      ".",          "1e",       "1e+",
                                      "0x10",       "-.5e-3",   "1E5",
                                      "0.000e-999", "infinit",  "nan()x",
                                      "nan(a-)",    "-nan",     "1.7976931348623159e308",
                                      "12.5MiB",    "1..2",     "9007199254740993"})
    for (const std::chars_format format : {std::chars_format::general, std::chars_format::fixed}) {
      CAPTURE(text);
      double expected = -77, value = -77;
      const char* const end = text.data() + text.size();
      const auto wanted = std::from_chars(text.data(), end, expected, format);
      const auto got = detail::read_double(text.data(), end, value, format != std::chars_format::fixed);
      CHECK(got.ec == wanted.ec);
      CHECK(got.ptr - text.data() == wanted.ptr - text.data());
      CHECK((value == expected || (std::isnan(value) && std::isnan(expected))));
    }
}

TEST_CASE("what stands in for std::to_chars writes what it writes") {
  std::mt19937_64 random(34);
  for (int i = 0; i < 20'000; ++i) {
    double number =
        i % 2 ? std::bit_cast<double>(random()) : std::ldexp(static_cast<double>(random() % 100'000), i % 80 - 40);
    if (i < 4) number = std::array{0.0, -0.0, 5e-324, 1.7976931348623157e308}[static_cast<std::size_t>(i)];
    if (!std::isfinite(number)) continue;
    char digits[400];
    const std::string shortest(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    REQUIRE(detail::shortest_text(number) == shortest);
    const auto end = std::to_chars(digits, digits + sizeof digits, number, std::chars_format::general, 6).ptr;
    char others[32];
    REQUIRE(std::string(others, detail::write_double(others, others + sizeof others, number, 6).ptr) ==
            std::string(digits, end));
  }
}

#endif

TEST_CASE("doubles are read and written") {
  const std::string_view text = "-12.5e1x";
  double value = 0;
  CHECK(*hlolint::double_from_chars(text.data(), text.data() + text.size(), value).ptr == 'x');
  CHECK(value == -125);
  char digits[32];
  CHECK(std::string_view(digits, static_cast<std::size_t>(hlolint::double_to_chars(digits, digits + 32, 0.1).ptr -
                                                          digits)) == "0.1");
  CHECK(std::string_view(
            digits, static_cast<std::size_t>(hlolint::double_to_chars(digits, digits + 32, 2e6 / 3, 6).ptr - digits)) ==
        "666667");
  CHECK(hlolint::double_to_chars(digits, digits + 2, 0.125).ec == std::errc::value_too_large);
}
