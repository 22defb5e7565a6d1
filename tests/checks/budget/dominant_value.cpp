#include <hlolint/checks/budget/dominant_value.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(int big, int small) {
  return outcome(dominant_value{},
                 assignment_of("allocation 0: size " + std::to_string(big) +
                               ", maybe-live-out:\n value: <0 a @0> (size=" + std::to_string(big) + ",offset=0): u8[" +
                               std::to_string(big) + "]{0}\n value: <1 b @0> (size=" + std::to_string(big) +
                               ",offset=0): u8[" + std::to_string(big) + "]{0}\nallocation 1: size " +
                               std::to_string(small) + ", preallocated-temp:\n"));
}

}  // namespace

TEST_CASE("BUD003 catches") {
  CHECK(outcome_of(100'000'000, 100'000'000) == texts{"note: a (u8[100000000]{0}) takes 95.37MiB, 50 % of all memory"});
}

TEST_CASE("BUD003 does not catch") {
  CHECK(outcome_of(100'000'000, 300'000'000).empty());
  CHECK(outcome_of(10'000'000, 0).empty());  // small
}
