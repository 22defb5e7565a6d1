#include <hlolint/grammar/buffers/line_scan.hpp>

#include <doctest/doctest.h>

using namespace hlolint::scan::lines;
using hlolint::scan::taken;

TEST_CASE("the rest of a line and its end") {
  static_assert(taken(rest, "ab c \r\nx") == "ab c" && taken(end_of_line, " \r\nx") == " \r\n" &&
                taken(rest, "\n").empty());
  static_assert(taken(up_to_slice, "a {b} {index:1}") == "a {b} " && taken(label, "  body:\n") == "  body");
}

TEST_CASE("names, numbers and shapes in a line") {
  static_assert(taken(name, "fusion.1{0}") == "fusion.1" && taken(name, "{0}").empty());
  static_assert(taken(spaced_digits, "1 179 648 bytes") == "1 179 648" && taken(spaced_digits, "52 bytes") == "52");
  static_assert(taken(human, "1.2KiB(") == "1.2KiB" && taken(human, "65.05G:") == "65.05G");
  static_assert(taken(human, "16B;") == "16B" && taken(human, "16").empty());
  static_assert(taken(shape_text, "(s32[], f32[2,3]), s8[]") == "(s32[], f32[2,3])" &&
                taken(shape_text, "f32[2\n]").empty());
}

TEST_CASE("free text up to what follows it") {
  static_assert(taken(up_to<'|'>, "(f32[2], s8[])| at") == "(f32[2], s8[])" && taken(up_to<'|'>, "f32\n|").empty());
  static_assert(taken(up_to_last_parenthesis, "jit(f) (x) (1.0%)\n (") == "jit(f) (x)");
  static_assert(taken(unknown_flag, ", kind |a, b| of (c, d), constant:") == ", kind |a, b| of (c, d)");
  static_assert(taken(unknown_flag, ", a:b:\n") == ", a:b" && taken(unknown_flag, ", a \n") == ", a");
  static_assert(taken(unavailable, "Live range is not available.\n").size() == 28 &&
                taken(unavailable, "x\nive range not available").empty());
}
