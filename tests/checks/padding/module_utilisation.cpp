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
        "f32[1048576,1]{1,0:T(8,128)}");
  CHECK(found[0].bytes == 508_MiB);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].message == "508.00MiB of padding");
  CHECK(lint_with("2-4", wide, {.min_share = 0.6}).size() == 1);
}

TEST_CASE("PAD007 does not catch") {
  CHECK(lint_with("2-4", wide).empty());  // at the peak half of the bytes are elements
  CHECK(lint_with("5-6", dense).empty());
  CHECK(lint_with("5-6", wide, {.min_waste = 600_MiB}).empty());
}
