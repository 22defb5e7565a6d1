#include "verify/catches.hpp"

#include <doctest/doctest.h>

TEST_CASE("shapes of what is called") {
  catches_not(entry("%c = f32[2,3]{1,0} fusion(%a), kind=kLoop, calls=%f"));
  catches_not(entry("%c = f32[2,3]{1,0} fusion(%a, %b), kind=kLoop, calls=%f"));  // XLA allows it
  catches(entry("%c = f32[2,3]{1,0} |fusion(), kind=kLoop, calls=%f"),
          "fusion takes one operand for each parameter of its computation, 1, but has 0", "c");
  catches(entry("%c = f32[2,3]{1,0} |call(%a, %b), to_apply=%f"),
          "call takes one operand for each parameter of its computation, 1, but has 2", "c");
  catches(entry("%c = f32[3,2]{1,0} |fusion(%a), kind=kLoop, calls=%f"),
          "fusion of f gives f32[2,3]{1,0}, not f32[3,2]{1,0}", "c");
  catches(
      entry(
          "%s = f32[3,2]{1,0} transpose(%a), dimensions={1,0}\n  %c = f32[2,3]{1,0} |fusion(%s), kind=kLoop, calls=%f"),
      "operand 0 is f32[3,2]{1,0}, but parameter 0 of f is f32[2,3]{1,0}", "c");
}

TEST_CASE("shapes of loops and branches") {
  catches_not(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} while(%p0), condition=%more, body=%keep"));
  catches_not(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} while(%p0), body=%keep, condition=%more"));
  catches(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} |while(%p0), condition=%keep, body=%keep"),
          "the condition of a while gives a scalar of pred, but keep gives f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} |while(%p0), condition=%more, body=%half"),
          "while of half gives f32[2,8]{1,0}, not f32[4,8]{1,0}", "r");
  catches(program({"f32[4]{0}"}, "f32[4,8]{1,0} |while(%p0), condition=%more, body=%keep"),
          "operand 0 is f32[4]{0}, but the parameter of keep is f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} |while(%p0), condition=%less, body=%keep"),
          "a computation of while takes 1 parameter, but less takes 2", "r");
  const std::initializer_list<std::string_view> by_pred{"f32[4,8]{1,0}", "pred[]", "f32[8]{0}"};
  catches_not(
      program(by_pred, "f32[4,8]{1,0} conditional(%p1, %p0, %p0), true_computation=%keep, false_computation=%keep"));
  catches(
      program(by_pred, "f32[4,8]{1,0} |conditional(%p1, %p0, %p2), true_computation=%keep, false_computation=%keep"),
      "operand 2 is f32[8]{0}, but the parameter of keep is f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}", "s32[]"},
                  "f32[4,8]{1,0} |conditional(%p1, %p0, %p0), branch_computations={%keep, %half}"),
          "conditional of half gives f32[2,8]{1,0}, not f32[4,8]{1,0}", "r");
}

TEST_CASE("shapes of reductions") {
  const std::initializer_list<std::string_view> own{"f32[4,8]{1,0}", "f32[]"};
  catches_not(program(own, "f32[8]{0} reduce(%p0, %p1), dimensions={0}, to_apply=%add"));
  catches_not(program({"f32[4,8]{1,0}", "bf16[]"}, "bf16[8]{0} reduce(%p0, %p1), dimensions={0}, to_apply=%add"));
  catches(program(own, "f32[8]{0} |reduce(%p0, %p1), dimensions={1}, to_apply=%add"),
          "reduce of f32[4,8]{1,0} is f32[4], not f32[8]{0}", "r");
  catches(program(own, "f32[8]{0} reduce(%p0, %p1), dimensions=|{9}, to_apply=%add"),
          "there is no dimension 9 in f32[4,8]{1,0}", "r");
  catches(program(own, "f32[8]{0} reduce(%p0, %p1), dimensions=|{0,0}, to_apply=%add"),
          "dimension 0 of f32[4,8]{1,0} stands here twice", "r");
  catches(program({"f32[4,8]{1,0}", "f32[4]{0}"}, "f32[8]{0} |reduce(%p0, %p1), dimensions={0}, to_apply=%add"),
          "the init value is f32[4]{0}, but add takes f32[]", "r");
  catches(program({"s32[4,8]{1,0}", "f32[]"}, "f32[8]{0} |reduce(%p0, %p1), dimensions={0}, to_apply=%add"),
          "reduce of s32[4,8]{1,0} calls add, which takes f32[]", "r");
  catches(program(own, "f32[8]{0} |reduce(%p0, %p1), dimensions={0}, to_apply=%keep"),
          "the computation of this reduce takes 2 parameters, but keep takes 1", "r");
  catches(program(own, "f32[8]{0} |reduce(%p0, %p1), dimensions={0}, to_apply=%less"),
          "the computation of reduce takes and gives scalars of one type, but less does not", "r");
  catches(program(own, "(f32[8]{0}, f32[8]{0}) |reduce(%p0, %p0, %p1, %p1), dimensions={0}, to_apply=%add"),
          "the computation of this reduce gives 2 scalars, but add gives f32[]", "r");
  catches_not(program(own, "f32[4,6]{1,0} reduce-window(%p0, %p1), window={size=1x3}, to_apply=%add"));
  catches(program(own, "f32[4,8]{1,0} |reduce-window(%p0, %p1), window={size=1x3}, to_apply=%add"),
          "reduce-window of f32[4,8]{1,0} is f32[4,6], not f32[4,8]{1,0}", "r");
  catches(program(own, "f32[4,6]{1,0} reduce-window(%p0, %p1), window=|{size=3}, to_apply=%add"),
          "the window has 1 dimension, but goes over f32[4,8]{1,0}", "r");
  const auto scatter = [](std::string_view source, std::string_view root) {
    return program({"f32[4,8]{1,0}", "f32[]", source},
                   std::string(root) +
                       "select-and-scatter(%p0, %p2, %p1), window={size=2x2 stride=2x2}, select=%less, "
                       "scatter=%add");
  };
  catches_not(scatter("f32[2,4]{1,0}", "f32[4,8]{1,0} "));
  catches(scatter("f32[2,8]{1,0}", "f32[4,8]{1,0} |"),
          "the windows over f32[4,8]{1,0} are f32[2,4], but the source is f32[2,8]{1,0}", "r");
}

TEST_CASE("shapes of sort and map") {
  const std::initializer_list<std::string_view> own{"f32[4,8]{1,0}", "s32[4,8]{1,0}"};
  catches_not(program(own, "f32[4,8]{1,0} sort(%p0), dimensions={1}, to_apply=%less"));
  catches(program(own, "f32[4,8]{1,0} sort(%p0), dimensions=|{4}, to_apply=%less"),
          "there is no dimension 4 in f32[4,8]{1,0}", "r");
  catches(program(own, "f32[8,4]{1,0} |sort(%p0), dimensions={1}, to_apply=%less"),
          "sort of f32[4,8]{1,0} cannot be f32[8,4]{1,0}: it keeps the shape", "r");
  catches(program(own, "f32[4,8]{1,0} |sort(%p0), dimensions={1}, to_apply=%add"),
          "the comparator of a sort gives a scalar of pred, but add gives f32[]", "r");
  catches(program(own, "f32[4,8]{1,0} |sort(%p0), dimensions={1}, to_apply=%keep"),
          "the comparator of this sort takes 2 parameters, but keep takes 1", "r");
  catches(program(own, "s32[4,8]{1,0} |sort(%p1), dimensions={1}, to_apply=%less"),
          "sort of s32[4,8]{1,0} calls less, whose parameter 0 is f32[]", "r");
  catches_not(program(own, "f32[4,8]{1,0} map(%p0, %p0), dimensions={0,1}, to_apply=%add"));
  catches(program(own, "f32[4,8]{1,0} |map(%p0), dimensions={0,1}, to_apply=%add"),
          "the computation of this map takes 1 parameter, but add takes 2", "r");
  catches(program(own, "f32[8,4]{1,0} |map(%p0, %p0), dimensions={0,1}, to_apply=%add"),
          "map of f32[4,8]{1,0} cannot be f32[8,4]{1,0}: its operands and its result have the same dimensions", "r");
  catches(program(own, "s32[4,8]{1,0} |map(%p0, %p0), dimensions={0,1}, to_apply=%add"),
          "map by add, which gives f32[], cannot be s32[4,8]{1,0}", "r");
}
