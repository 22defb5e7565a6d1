#include <hlolint/checks/budget/space_budget.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

const auto dump = [] {
  return assignment_of(
      "allocation 0: size 2048, maybe-live-out:\n value: <0 a @0> (size=2048,offset=0): f32[512]{0}\n"
      "allocation 1: size 64, color 1, preallocated-temp:\n"
      " value: <1 b @1> (size=64,offset=0): f32[16]{0}\n"
      "allocation 2: size 32, color 5, preallocated-temp:\n"
      " value: <2 c @5> (size=32,offset=0): f32[8]{0}\n");
};

}  // namespace

TEST_CASE("BUD007 catches") {
  CHECK(outcome(space_budget{.limit_1 = 60}, dump()) ==
        texts{"warning: allocations of color 1 take 64B, 4B more than the limit of 60B"});
  CHECK(outcome(space_budget{.limit_1 = 60, .limit_5 = 1}, dump()).size() == 2);
}

TEST_CASE("BUD007 does not catch") {
  CHECK(outcome(space_budget{}, dump()).empty());
  CHECK(outcome(space_budget{.limit_1 = 64, .limit_2 = 1, .limit_5 = 32}, dump()).empty());
}
