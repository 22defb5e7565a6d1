#include <hlolint/checks/padding/module_utilisation.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

/// Two values of 512 MiB: `a` of the given shape, from 1 to 3, and `b`, which is dense, with its own range.
findings lint_with(const std::string& range_of_b, const std::string& shape_of_a, const module_utilisation& check = {}) {
  return lint(
      check,
      buffers_of("BufferAssignment:\nallocation 0: size 1073741824, preallocated-temp:\n"
                 " value: <0 a @0> (size=536870912,offset=0): " +
                 shape_of_a +
                 "\n"
                 " value: <1 b @0> (size=536870912,offset=536870912): f32[1048576,128]{1,0:T(8,128)}\n\n\n"
                 "HloLiveRange (max 6):\n  InstructionSequence:\n    0:p\n    1:a\n    2:b\n    3:c\n    4:d\n    5:e\n"
                 "  BufferLiveRange:\n    a{}:1-3\n    b{}:" +
                 range_of_b + "\n  Live ranges at 2 (peak):\n"));
}

const std::string wide = "f32[1048576,1]{1,0:T(8,128)}", dense = "f32[1048576,128]{1,0:T(8,128)}";

}  // namespace

TEST_CASE("PAD007 catches") {
  const findings found = lint_with("5-6", wide);
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "at position 1, 512.00MiB of HBM are in use for 4.00MiB of elements (0.78 %); most of the padding is in a, "
        "f32[1048576,1]{1,0:T(8,128)}; f32[1048576,1]{0,1:T(1,128)} would take 4.00MiB for 512.00MiB");
  CHECK(found[0].bytes == 508_MiB);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].message == "508.00MiB of padding");
}

TEST_CASE("PAD007 sums what many values of one shape pad, however little each of them does") {
  // 200 arrays of 8 MiB with 128 KiB of elements beside one of 1 GiB: 60 % of 2,624 MiB.
  std::string values, ranges;
  for (int i = 0; i < 200; ++i) {
    const std::string name = "v" + std::to_string(i);
    values += " value: <" + std::to_string(i + 1) + " " + name +
              " @0> (size=8388608,offset=" + std::to_string(1073741824LL + i * 8388608LL) +
              "): f32[16384,2]{1,0:T(8,128)}\n";
    ranges += "    " + name + "{}:1-3\n";
  }
  const findings found =
      lint(module_utilisation{},
           buffers_of("BufferAssignment:\nallocation 0: size 2751463424, preallocated-temp:\n"
                      " value: <0 full @0> (size=1073741824,offset=0): f32[2097152,128]{1,0:T(8,128)}\n" +
                      values +
                      "\n\nHloLiveRange (max 3):\n  InstructionSequence:\n    0:p\n    1:a\n    2:b\n    3:c\n"
                      "  BufferLiveRange:\n    full{}:1-3\n" +
                      ranges + "  Live ranges at 2 (peak):\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].message ==
        "at position 1, 2.56GiB of HBM are in use for 1.02GiB of elements (40 %); most of the padding is in v0, "
        "f32[16384,2]{1,0:T(8,128)}, and 199 more of this shape, 1.54GiB in all; f32[16384,2]{0,1:T(2,128)} would take "
        "128.0KiB for 8.00MiB");
}

TEST_CASE("PAD007 catches rows of 100 where tiles have 128") {
  const std::string hundred = "f32[1048576,100]{1,0:T(8,128)}";
  CHECK(lint_with("2-4", hundred).size() == 1);  // 112 of 1,024 MiB
  CHECK(lint_with("2-4", "f32[1048576,120]{1,0:T(8,128)}").empty());
}

TEST_CASE("PAD007 does not catch") {
  CHECK(lint_with("2-4", wide, {.min_share = 0.5}).empty());  // at the peak half of the bytes are elements
  CHECK(lint_with("5-6", dense).empty());
  CHECK(lint_with("5-6", wide, {.min_waste = 600_MiB}).empty());
}
