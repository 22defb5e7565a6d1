#include <hlolint/checks/budget/giant_single_allocation.hpp>

#include "checks/buffer_text.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const std::string& size_and_flags, const giant_single_allocation& check = {}) {
  return outcome(check, assignment_of("allocation 0: size " + size_and_flags + ":\n"));
}

}  // namespace

TEST_CASE("BUD006 catches") {
  CHECK(outcome_of("12884901888, preallocated-temp") == texts{"note: allocation 0 needs 12.00GiB in one piece"});
  CHECK(outcome_of("6442450944, preallocated-temp", {.capacity = 10_GiB}).size() == 1);
}

TEST_CASE("BUD006 does not catch") {
  CHECK(outcome_of("6442450944, preallocated-temp").empty());
  CHECK(outcome_of("12884901888, preallocated-temp", {.capacity = 80_GiB}).empty());
  CHECK(outcome_of("12884901888, maybe-live-out").empty());
}
