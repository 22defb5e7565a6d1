#include <hlolint/checks/memory/size_shape_mismatch.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const auto outcome_of = [](const std::string& values) {
  return outcome(size_shape_mismatch{}, assignment_of("allocation 0: size 9000000, preallocated-temp:\n" + values));
};
// Enough values to determine which size function holds.
const std::string plain =
    " value: <90 x @0> (size=1024,offset=8192): f32[256]{0}\n"
    " value: <91 y @0> (size=16,offset=9216): (f32[2]{0}, f32[2]{0})\n";
const std::string tiled =
    " value: <90 x @0> (size=4096,offset=8192): f32[3,4]{1,0:T(8,128)}\n"
    " value: <91 y @0> (size=32,offset=12288): (f32[2]{0}, f32[2]{0})\n";

}  // namespace

TEST_CASE("MEM005 catches") {
  CHECK(outcome_of(plain + " value: <1 a @0> (size=512,offset=0): f32[256]{0}\n") ==
        texts{"error: a has 512 bytes, but f32[256]{0} takes 1024 (plain sizes)"});
  CHECK(outcome_of(plain + " value: <1 a @0> (size=8,offset=0): (f32[], f32[])\n").size() == 1);
  CHECK(outcome_of(tiled + " value: <1 a @0> (size=8,offset=0): f32[2,4]{1,0:T(8,128)}\n") ==
        texts{"error: a has 8 bytes, but f32[2,4]{1,0:T(8,128)} takes 4096 (tpu-tiled sizes)"});
  CHECK(outcome_of(tiled + " value: <1 a{} @0> (size=0,offset=0): (f32[2], f32[4])\n").size() == 1);
  CHECK(outcome_of(tiled + " value: <1 a @7> (size=0,offset=0): f32[2,4]{1,0:T(8,128)}\n").size() == 1);
  // The elements would fit; what the compiler adds to them is not public.
  CHECK(outcome_of(tiled + " value: <1 a @0> (size=2048,offset=0): f32[2,4]{1,0:T(8,128)}\n") ==
        texts{"warning: a has 2048 bytes, but f32[2,4]{1,0:T(8,128)} takes 4096 (tpu-tiled sizes)"});
  CHECK(outcome_of(plain + " value: <1 a @0> (size=2048,offset=0): f32[256]{0}\n") ==
        texts{"note: a has 2048 bytes, but f32[256]{0} takes only 1024, and no value in the same bytes is larger"});
  const findings found =
      lint(size_shape_mismatch{}, assignment_of("allocation 0: size 9000000, preallocated-temp:\n" + plain +
                                                " value: <1 a @0> (size=512,offset=0): f32[256]{0}\n"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].bytes == 512);
  CHECK(found[0].instruction == "a");
}

TEST_CASE("MEM005 does not catch") {
  CHECK(outcome_of(plain).empty());
  CHECK(outcome_of(tiled).empty());
  CHECK(outcome_of(plain + " value: <1 a @0> (size=8,offset=0): s4[16]{0:E(4)}\n").empty());
  CHECK(outcome_of(plain + " value: <1 a @0> (size=0,offset=0): token[]\n").empty());
  // Shares its bytes with something bigger.
  CHECK(outcome_of(plain + " value: <1 a @0> (size=2048,offset=0): f32[256]{0}\n"
                           " value: <2 b @0> (size=2048,offset=0): f32[512]{0}\n")
            .empty());
  // Whole blocks of 1,024 elements, but not in scalar memory.
  CHECK(outcome_of(tiled + " value: <1 a @2> (size=8,offset=0): s32[2]{0:S(2)}\n").empty());
  CHECK(outcome_of(tiled + " value: <1 a @4> (size=4096,offset=0): s32[2]{0:S(4)}\n").empty());
  // The table of a SparseCore's tuple.
  CHECK(outcome_of(tiled + " value: <1 a{} @7> (size=0,offset=0): (f32[2], f32[4])\n").empty());
  // 4 bytes per dimension of a dynamic array, or not.
  CHECK(outcome_of(plain + " value: <1 a @0> (size=44,offset=0): s32[2,<=2,2]{2,1,0}\n").empty());
  CHECK(outcome_of(plain + " value: <1 a @0> (size=32,offset=0): s32[2,<=2,2]{2,1,0}\n").empty());
}
