#include <hlolint/checks/budget/long_lived_temp.hpp>

#include "checks/buffer_text.hpp"
#include "checks/memory_fixtures.hpp"

using namespace hlolint;
using namespace hlolint::testing;

namespace {

texts outcome_of(const value_row& value, const std::string& flags = ", preallocated-temp") {
  return outcome(long_lived_temp{}, dump_of({{flags, {value}}}));
}

}  // namespace

TEST_CASE("BUD004 catches") {
  CHECK(outcome_of({"a", 0, 100_MiB, 1, 19, {2, 19}}) ==
        texts{"note: a keeps 100.00MiB from position 1 to 19 of 21, but it is not read between 2 and 19"});
}

TEST_CASE("BUD004 does not catch") {
  CHECK(outcome_of({"a", 0, 100_MiB, 1, 12, {2, 12}}).empty());     // not long
  CHECK(outcome_of({"a", 0, 100_MiB, 1, 19, {10, 19}}).empty());    // no long wait
  CHECK(outcome_of({"a", 0, 100_MiB, 1, 19, {2, 3, 19}}).empty());  // read often
  CHECK(outcome_of({"a", 0, 10_MiB, 1, 19, {2, 19}}).empty());      // small
  CHECK(outcome_of({"a", 0, 100_MiB, 1, 19, {2, 19}, " (phi)"}).empty());
  CHECK(outcome_of({"a", 0, 100_MiB, 1, 19, {2, 19}}, ", maybe-live-out").empty());
}
