#include <hlolint/checks/memory/thunk_slice_outside.hpp>

#include <hlolint/ir/join_buffers.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const auto outcome_of = [](const std::string& slices) {
  const buffer_dump assignment = assignment_of(
      "allocation 0: size 64, preallocated-temp:\n"
      " value: <0 a @0> (size=64,offset=0): f32[16]{0}\n");
  const buffer_dump thunks = parse("000: kGemm [source | next=sink] " + slices + "\n").buffers.value();
  return outcome(thunk_slice_outside{}, join({assignment, thunks}));
};

}  // namespace

TEST_CASE("MEM012 catches") {
  CHECK(outcome_of("out={index:0, offset:32, size:64}") ==
        texts{"error: kGemm works on 64 bytes from byte 32 of allocation 0, which has 64 bytes"});
  CHECK(outcome_of("a={index:1, offset:0, size:4}, b={index:1, offset:0, size:4}") ==
        texts{"error: kGemm works on 4 bytes from byte 0 of allocation 1, which does not exist"});
}

TEST_CASE("MEM012 does not catch") {
  CHECK(outcome_of("a={index:0, offset:0, size:64}, b={index:0, offset:60, size:4}, c={index:-1, offset:0, size:9}")
            .empty());
  CHECK(outcome(thunk_slice_outside{}, assignment_of("allocation 0: size 64, preallocated-temp:\n")).empty());
}
