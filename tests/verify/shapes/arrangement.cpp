#include "verify/catches.hpp"

#include <doctest/doctest.h>

TEST_CASE("shapes of operations that put arrays together or spread them") {
  catches_not(entry("%c = f32[4,3]{1,0} concatenate(%a, %b), dimensions={0}"));
  catches(entry("%c = f32[2,3]{1,0} |concatenate(%a, %b), dimensions={0}"),
          "the operands of this concatenate have 4 elements along dimension 0, its result has 2", "c");
  catches(entry("%c = f32[4,4]{1,0} |concatenate(%a, %b), dimensions={0}"),
          "a concatenate with an operand of f32[2,3]{1,0} cannot be f32[4,4]{1,0}", "c");
  catches_not(entry("%c = f32[2,3,5]{2,1,0} broadcast(%a), dimensions={0,1}"));
  catches(entry("%c = s32[2,3,5]{2,1,0} |broadcast(%a), dimensions={0,1}"),
          "a broadcast of f32 cannot be s32: it keeps the element type", "c");
  catches(entry("%c = f32[2,3,5]{2,1,0} |broadcast(%a), dimensions={1,2}"),
          "a broadcast of f32[2,3]{1,0} to these dimensions cannot be f32[2,3,5]{2,1,0}", "c");
  catches_not(entry("%c = (f32[2,3]{1,0}, f32[2,3]{1,0}) all-to-all(%a, %b), replica_groups={{0,1}}"));
  catches(entry("%s = f32[3,2]{1,0} transpose(%a), dimensions={1,0}\n"
                "  %c = (f32[2,3]{1,0}, f32[3,2]{1,0}) |all-to-all(%a, %s), replica_groups={{0,1}}"),
          "all-to-all takes operands of one shape, but has f32[2,3]{1,0} and f32[3,2]{1,0}", "c");
  catches_not(entry("%c = (f32[2,3]{1,0}, bf16[2,3]{1,0}) tuple(%a, %b)"));
  catches(entry("%c = (f32[2,3]{1,0}, f32[3]{0}) |tuple(%a, %b)"),
          "element 1 of this tuple is f32[2,3]{1,0}, not f32[3]{0}", "c");
}

TEST_CASE("shapes of operations that arrange the dimensions of an array") {
  catches(entry("%c = f32[4,3]{1,0} concatenate(%a, %b), dimensions=|{8}"), "there is no dimension 8 in f32[4,3]{1,0}",
          "c");
  catches_not(program({"f32[2,3,5]{2,1,0}"}, "f32[3,5,2]{2,1,0} transpose(%p0), dimensions={1,2,0}"));
  catches_not(program({"f32[]"}, "f32[] transpose(%p0), dimensions={}"));
  catches(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} |transpose(%p0), dimensions={1,0}"),
          "transpose of f32[4,8]{1,0} is f32[8,4], not f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[8,4]{1,0} transpose(%p0), dimensions=|{1,1}"),
          "dimension 1 of f32[4,8]{1,0} stands here twice", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[8]{0} transpose(%p0), dimensions=|{1}"),
          "transpose names all dimensions of f32[4,8]{1,0}, not 1", "r");
  catches(program({"f32[4,8]{1,0}"}, "s32[8,4]{1,0} |transpose(%p0), dimensions={1,0}"),
          "transpose of f32[4,8]{1,0} cannot be s32[8,4]{1,0}: it keeps the element type", "r");
  catches_not(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} reverse(%p0), dimensions={1}"));
  catches(program({"f32[4,8]{1,0}"}, "f32[4,8]{1,0} reverse(%p0), dimensions=|{4}"),
          "there is no dimension 4 in f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[8,4]{1,0} |reverse(%p0), dimensions={0}"),
          "reverse of f32[4,8]{1,0} cannot be f32[8,4]{1,0}: it keeps the shape", "r");
  catches_not(program({}, "f32[4,8]{1,0} iota(), iota_dimension=1"));
  catches(program({}, "f32[8]{0} iota(), iota_dimension=|3"), "there is no dimension 3 in f32[8]{0}", "r");
  catches(program({}, "pred[8]{0} |iota(), iota_dimension=0"), "iota gives numbers, not pred[8]{0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "s32[] get-dimension-size(%p0), dimensions=|{4}"),
          "there is no dimension 4 in f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "s64[] |get-dimension-size(%p0), dimensions={1}"),
          "the size of a dimension is s32[], not s64[]", "r");
}

TEST_CASE("shapes of slices and paddings") {
  catches_not(program({"f32[4,8]{1,0}"}, "f32[2,3]{1,0} slice(%p0), slice={[2:4], [0:8:3]}"));
  catches_not(program({"f32[4,8]{1,0}"}, "f32[0,8]{1,0} slice(%p0), slice={ [2:2], [0:8] }"));
  catches(program({"f32[4,8]{1,0}"}, "f32[3,8]{1,0} |slice(%p0), slice={[0:2], [0:8]}"),
          "slice of f32[4,8]{1,0} is f32[2,8], not f32[3,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[2,8]{1,0} slice(%p0), slice=|{[4:6], [0:8]}"),
          "the range [4:6:1] does not lie in dimension 0 of f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[2,8]{1,0} slice(%p0), slice=|{[2:0], [0:8]}"),
          "the range [2:0:1] does not lie in dimension 0 of f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}"}, "f32[2]{0} slice(%p0), slice=|{[0:2]}"),
          "slice has a range for each dimension of f32[4,8]{1,0}, not 1", "r");
  catches_not(program({"f32[4,<=8]{1,0}"}, "f32[2,<=8]{1,0} slice(%p0), slice={[0:2], [0:8]}"));
  catches_not(program({"f32[4,8]{1,0}", "f32[]"}, "f32[6,14]{1,0} pad(%p0, %p1), padding=1_1x-1_0_1"));
  catches(program({"f32[4,8]{1,0}", "f32[]"}, "f32[6,8]{1,0} |pad(%p0, %p1), padding=1_0x0_0"),
          "pad of f32[4,8]{1,0} is f32[5,8], not f32[6,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}", "f32[]"}, "f32[6,8]{1,0} pad(%p0, %p1), padding=|1_1"),
          "pad has a padding for each dimension of f32[4,8]{1,0}, not 1", "r");
  catches(program({"f32[4,8]{1,0}", "f32[]"}, "f32[4,8]{1,0} pad(%p0, %p1), padding=|-3_-2x0_0"),
          "the padding leaves -1 elements of dimension 0 of f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}", "s32[]"}, "f32[4,8]{1,0} |pad(%p0, %p1), padding=0_0x0_0"),
          "pad of f32[4,8]{1,0} takes a scalar of its type, not s32[]", "r");
}

TEST_CASE("shapes of dynamic slices") {
  const std::initializer_list<std::string_view> own{"f32[4,8]{1,0}", "s32[]"};
  catches_not(program(own, "f32[2,8]{1,0} dynamic-slice(%p0, %p1, %p1), dynamic_slice_sizes={2,8}"));
  catches_not(program({"f32[4,8]{1,0}", "s32[2]{0}"},
                      "f32[2,8]{1,0} dynamic-slice(%p0, %p1), dynamic_slice_sizes={2,8}"));  // the old form
  catches(program(own, "f32[2,8]{1,0} |dynamic-slice(%p0, %p1, %p1), dynamic_slice_sizes={3,8}"),
          "dynamic-slice of f32[4,8]{1,0} is f32[3,8], not f32[2,8]{1,0}", "r");
  catches(program(own, "f32[5,8]{1,0} dynamic-slice(%p0, %p1, %p1), dynamic_slice_sizes=|{5,8}"),
          "a slice of these sizes does not fit in f32[4,8]{1,0}", "r");
  catches(program(own, "f32[2,8]{1,0} dynamic-slice(%p0, %p1, %p1), dynamic_slice_sizes=|{1,2,8}"),
          "a slice of these sizes does not fit in f32[4,8]{1,0}", "r");
  catches(program({"f32[4,8]{1,0}", "f32[]"}, "f32[2,8]{1,0} |dynamic-slice(%p0, %p1, %p1), dynamic_slice_sizes={2,8}"),
          "the start indices of dynamic-slice are integers, but operand 1 is f32[]", "r");
  catches(program({"f32[4,8]{1,0}", "s32[]", "s64[]"},
                  "f32[2,8]{1,0} |dynamic-slice(%p0, %p1, %p2), dynamic_slice_sizes={2,8}"),
          "the start indices of dynamic-slice have one type, not s32 and s64", "r");
  const auto update = [](std::string_view shape, std::string_view result) {
    return program({"f32[4,8]{1,0}", "s32[]", shape},
                   std::string(result) + " |dynamic-update-slice(%p0, %p2, %p1, %p1)");
  };
  catches_not(
      program({"f32[4,8]{1,0}", "s32[]", "bf16[1,8]{1,0}"}, "f32[4,8]{1,0} dynamic-update-slice(%p0, %p2, %p1, %p1)"));
  catches(update("f32[1,8]{1,0}", "f32[5,8]{1,0}"),
          "dynamic-update-slice of f32[4,8]{1,0} cannot be f32[5,8]{1,0}: it keeps the shape", "r");
  catches(update("f32[5,8]{1,0}", "f32[4,8]{1,0}"), "an update of f32[5,8]{1,0} does not fit in f32[4,8]{1,0}", "r");
  catches(update("s32[1,8]{1,0}", "f32[4,8]{1,0}"), "an update of s32[1,8]{1,0} does not fit in f32[4,8]{1,0}", "r");
}
