#include "verify/catches.hpp"

#include <doctest/doctest.h>

TEST_CASE("shapes of elementwise operations") {
  catches_not(entry("%c = pred[2,3]{1,0} compare(%a, %b), direction=GE"));
  catches_not(entry("%c = bf16[2,3]{1,0} add(%a, %b)"));  // XLA allows mixed precision
  catches_not(entry("%c = f32[<=2,3]{1,0} add(%a, %b)"));
  catches_not(entry("%c = s32[2,3]{1,0} convert(%a)"));
  catches(entry("%c = f32[3,2]{1,0} |add(%a, %b)"),
          "add of f32[2,3]{1,0} cannot be f32[3,2]{1,0}: its operands and its result have the same dimensions", "c");
  catches(entry("%c = s32[2,3]{1,0} |negate(%a)"),
          "negate of f32 cannot be s32: its operands and its result have one element type", "c");
  catches(entry("%s = s32[2,3]{1,0} convert(%a)\n  %c = pred[2,3]{1,0} |compare(%s, %b), direction=GE"),
          "compare of s32 and f32: its operands have one element type", "c");
  catches(entry("%c = f32[2,3]{1,0} |compare(%a, %b), direction=GE"), "the result of compare is of pred, not f32", "c");
  catches(entry("%c = s32[3]{0} |convert(%a)"),
          "convert of f32[2,3]{1,0} cannot be s32[3]{0}: its operands and its result have the same dimensions", "c");
}

TEST_CASE("types that elementwise operations take") {
  catches_not(program({"pred[8]{0}"}, "pred[8]{0} and(%p0, %p0)"));
  catches_not(program({"c64[8]{0}"}, "f32[8]{0} abs(%p0)"));
  catches_not(program({"c64[8]{0}"}, "c64[8]{0} exponential(%p0)"));
  catches_not(program({"f8e4m3fn[8]{0}"}, "f8e4m3fn[8]{0} floor(%p0)"));
  catches_not(program({"u4[8]{0}"}, "u4[8]{0} popcnt(%p0)"));
  catches_not(program({"s32[8]{0}"}, "s32[8]{0} abs(%p0)"));
  catches_not(program({"pred[8]{0}"}, "pred[8]{0} multiply(%p0, %p0)"));
  catches_not(program({"f64[8]{0}"}, "c128[8]{0} complex(%p0, %p0)"));
  catches_not(program({"bf16[8]{0}"}, "pred[8]{0} is-finite(%p0)"));
  catches(program({"f32[8]{0}"}, "f32[8]{0} |and(%p0, %p0)"), "and works on pred or an integer type, not on f32", "r");
  catches(program({"f32[8]{0}"}, "f32[8]{0} |not(%p0)"), "not works on pred or an integer type, not on f32", "r");
  catches(program({"s32[8]{0}"}, "s32[8]{0} |exponential(%p0)"),
          "exponential works on a floating-point or complex type, not on s32", "r");
  catches(program({"c64[8]{0}"}, "c64[8]{0} |floor(%p0)"), "floor works on a floating-point type, not on c64", "r");
  catches(program({"u32[8]{0}"}, "u32[8]{0} |abs(%p0)"),
          "abs works on a signed, floating-point or complex type, not on u32", "r");
  catches(program({"f32[8]{0}"}, "f32[8]{0} |popcnt(%p0)"), "popcnt works on an integer type, not on f32", "r");
  catches(program({"pred[8]{0}"}, "pred[8]{0} |subtract(%p0, %p0)"),
          "subtract works on an integer, floating-point or complex type, not on pred", "r");
  catches(program({"f32[8]{0}"}, "f32[8]{0} |complex(%p0, %p0)"), "the result of complex is of c64, not f32", "r");
  catches(program({"c64[8]{0}"}, "s32[8]{0} |real(%p0)"), "the result of real is of f32, not s32", "r");
  catches(program({"c64[8]{0}"}, "c64[8]{0} |abs(%p0)"), "the result of abs is of f32, not c64", "r");
}

TEST_CASE("shapes of select and clamp") {
  const auto select = [](std::string_view pred, std::string_view other, std::string_view result) {
    return program({"f32[4,8]{1,0}", pred, other}, std::string(result) + " |select(%p1, %p0, %p2)");
  };
  const auto sound = [](std::string text) { return text.erase(text.find('|'), 1); };
  catches_not(sound(select("pred[4,8]{1,0}", "f32[4,8]{0,1}", "f32[4,8]{1,0}")));
  catches_not(sound(select("pred[]", "bf16[4,8]{1,0}", "f32[4,8]{1,0}")));
  catches(select("s32[4,8]{1,0}", "f32[4,8]{1,0}", "f32[4,8]{1,0}"), "the first operand of select is of pred, not s32",
          "r");
  catches(select("pred[4]{0}", "f32[4,8]{1,0}", "f32[4,8]{1,0}"),
          "select by pred[4]{0} cannot be f32[4,8]{1,0}: its first operand is a scalar or has the dimensions of the "
          "result",
          "r");
  catches(select("pred[4,8]{1,0}", "f32[4]{0}", "f32[4,8]{1,0}"),
          "select of f32[4]{0} cannot be f32[4,8]{1,0}: it keeps the shape", "r");
  catches(select("pred[]", "f32[4,8]{1,0}", "s32[4,8]{1,0}"),
          "select of f32[4,8]{1,0} cannot be s32[4,8]{1,0}: it keeps the shape", "r");
  catches_not(program({"f32[4,8]{1,0}", "f32[]"}, "f32[4,8]{1,0} clamp(%p1, %p0, %p0)"));
  catches(program({"f32[4,8]{1,0}", "f32[4]{0}"}, "f32[4,8]{1,0} |clamp(%p1, %p0, %p1)"),
          "clamp of f32[4]{0} cannot be f32[4,8]{1,0}: its operands have the dimensions of its result, or are scalar "
          "limits",
          "r");
  catches(program({"f32[4,8]{1,0}", "s32[]"}, "f32[4,8]{1,0} |clamp(%p1, %p0, %p1)"),
          "clamp of s32 cannot be f32: its operands and its result have one element type", "r");
}

TEST_CASE("shapes of other readings of the same bytes") {
  catches_not(program({"f32[4,8]{1,0}"}, "s32[8,4]{1,0} bitcast(%p0)"));
  catches_not(program({"f32[4,8]{1,0}"}, "bf16[4,16]{1,0} bitcast(%p0)"));
  catches_not(program({"f32[4,8]{1,0:T(8,128)}"}, "f32[4,9]{1,0:T(8,128)} bitcast(%p0)"));
  catches_not(program({"f32[2]"}, "f32[3] bitcast(%p0)"));  // only with layouts XLA's verifier asks for the size
  catches(program({"f32[4,8]{1,0}"}, "f32[4,9]{1,0} |bitcast(%p0)"),
          "bitcast of f32[4,8]{1,0} cannot be f32[4,9]{1,0}: it keeps the number of bytes", "r");
  catches_not(program({"f32[4,8]{1,0}"}, "s16[4,8,2]{2,1,0} bitcast-convert(%p0)"));
  catches_not(program({"u8[4,4]{1,0}"}, "f32[4]{0} bitcast-convert(%p0)"));
  catches(program({"f32[4,8]{1,0}"}, "s16[4,8]{1,0} |bitcast-convert(%p0)"),
          "bitcast-convert of f32[4,8]{1,0} is s16[4,8,2], not s16[4,8]{1,0}", "r");
  catches(
      program({"u8[4,8]{1,0}"}, "f32[4,2]{1,0} |bitcast-convert(%p0)"),
      "bitcast-convert of u8[4,8]{1,0} cannot be f32[4,2]{1,0}: 4 elements become one, which are the last dimension",
      "r");
}

TEST_CASE("comparison types, and operands that are no arrays") {
  catches_not(program({"u32[]"}, "pred[] compare(%p0, %p0), direction=LT, type=UNSIGNED"));
  catches_not(program({"f32[]"}, "pred[] compare(%p0, %p0), direction=LT, type=TOTALORDER"));
  catches(program({"u32[]"}, "pred[] compare(%p0, %p0), direction=LT, type=|SIGNED"),
          "a comparison of u32 is not of the type SIGNED", "r");
  catches(program({"f32[]"}, "pred[] compare(%p0, %p0), direction=LT, type=|UNSIGNED"),
          "a comparison of f32 is not of the type UNSIGNED", "r");
  catches_not(program({"(f32[8]{0})"}, "(f32[8]{0}) copy(%p0)"));
  catches(program({"(f32[8]{0})"}, "(f32[8]{0}) |negate(%p0)"), "negate works on arrays, not on (f32[8]{0})", "r");
}
