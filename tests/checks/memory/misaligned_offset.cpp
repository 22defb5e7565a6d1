#include <hlolint/checks/memory/misaligned_offset.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_at(int offset, target backend, const std::string& flags = ", preallocated-temp") {
  return outcome(misaligned_offset{},
                 assignment_of("allocation 0: size 4096" + flags +
                               ":\n value: <0 a @0> (size=0,offset=3): f32[0]{0}\n"
                               " value: <1 b @0> (size=64,offset=" +
                               std::to_string(offset) + "): f32[16]{0}\n"),
                 backend);
}

}  // namespace

TEST_CASE("MEM006 catches") {
  CHECK(outcome_at(8, target::cpu) ==
        texts{"warning: b begins at byte 8 of allocation 0, which is no multiple of 16 (cpu)"});
  CHECK(outcome_at(192, target::gpu) ==
        texts{"warning: b begins at byte 192 of allocation 0, which is no multiple of 128 (gpu)"});
  // Pages are newer than the alignment of 256.
  CHECK(outcome_at(128, target::gpu, ", page 0, preallocated-temp") ==
        texts{"warning: b begins at byte 128 of allocation 0, which is no multiple of 256 (gpu)"});
}

TEST_CASE("MEM006 does not catch") {
  CHECK(outcome_at(64, target::cpu).empty());
  CHECK(outcome_at(128, target::gpu).empty());
  CHECK(outcome_at(256, target::gpu, ", page 0, preallocated-temp").empty());
  CHECK(outcome_at(4, target::tpu).empty());
  CHECK(outcome_at(4, target::unknown).empty());
  CHECK(outcome_at(8, target::cpu, ", maybe-live-out").empty());
}
