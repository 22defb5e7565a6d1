#include <hlolint/checks/memory/value_exceeds_allocation.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const auto outcome_of = [](const std::string& value,
                           const std::string& head = "allocation 0: size 64, preallocated-temp:\n") {
  return outcome(value_exceeds_allocation{}, assignment_of(head + value + "\n"));
};

}  // namespace

TEST_CASE("MEM004 catches") {
  CHECK(outcome_of(" value: <0 a.1 @0> (size=64,offset=32): f32[16]{0}") ==
        texts{"error: a.1 takes 64 bytes from byte 32 of allocation 0, which has 64 bytes"});
  CHECK(outcome_of(" value: <0 a.1{1} @0> (size=65,offset=0): u8[65]{0}") ==
        texts{"error: a.1{1} takes 65 bytes from byte 0 of allocation 0, which has 64 bytes"});
  // the sum is no int64
  CHECK(outcome_of(" value: <0 a.1 @0> (size=9223372036854775807,offset=64): u8[8]{0}").size() == 1);
  CHECK(outcome_of(" value: <0 a.1 @1> (size=1,offset=0): u8[1]{0}",
                   "allocation 0: size 0, color 1, preallocated-temp:\n") ==
        texts{"error: a.1 takes 1 bytes from byte 0 of allocation 0 (color 1), which has 0 bytes"});

  const findings found =
      lint(value_exceeds_allocation{}, assignment_of("allocation 0: size 64, preallocated-temp:\n"
                                                     " value: <0 a @0> (size=64,offset=0): f32[16]{0}\n"
                                                     " value: <1 b @0> (size=64,offset=16): f32[16]{0}\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].instruction == "b");
  CHECK(found[0].bytes == 16);
  REQUIRE(found[0].related.size() == 1);
  CHECK(found[0].related[0].where.text() == "allocation 0: size 64, preallocated-temp:");
}

TEST_CASE("MEM004 does not catch") {
  CHECK(outcome_of(" value: <0 a.1 @0> (size=64,offset=0): f32[16]{0}").empty());
  CHECK(outcome_of(" value: <0 a.1 @0> (size=32,offset=32): f32[8]{0}").empty());
  CHECK(outcome_of(" value: <0 a.1 @0> (size=0,offset=64): f32[0]{0}").empty());
  CHECK(outcome_of(" value: <0 a.1 @0> (size=0,offset=0): f32[0]{0}", "allocation 0: size 0, preallocated-temp:\n")
            .empty());
}
